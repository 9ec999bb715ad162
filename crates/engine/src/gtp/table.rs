//! The table of commands: name, syntax, meaning, function, one entry each.

use kosumi_record::GameKind;

use super::arguments::Arguments;
use super::{Answer, Session, analyze, board, clients, core, game, hex, own, time};

type Run = fn(&mut Session<'_>, &Arguments<'_>) -> Answer;

/// A command of the protocol.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Name and arguments; what may be left out stands in brackets.
    pub syntax: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The only game that has it; `None`: all have.
    pub only: Option<GameKind>,
    pub(super) run: Run,
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.syntax)
    }
}

macro_rules! commands {
    ($($games:ident $name:literal $arguments:literal $run:path, $help:literal;)*) => {
        const COMMANDS: &[Command] = &[$(Command {
            name: $name,
            syntax: concat!($name, $arguments),
            help: $help,
            only: commands!(@ $games),
            run: $run,
        }),*];
    };
    (@ all) => { None };
    (@ go) => { Some(GameKind::Go) };
    (@ hex) => { Some(GameKind::Hex) };
}

commands! {
    all "protocol_version" "" core::protocol_version, "The version of the protocol: 2.";
    all "name" "" core::name, "The name of the program.";
    all "version" "" core::version, "The version of the program.";
    all "known_command" " NAME" core::known_command, "Whether there is such a command.";
    all "list_commands" "" core::list_commands, "All commands, one per line.";
    all "help" " [NAME]" core::help, "The syntax and meaning of a command, or of all.";
    all "quit" "" core::quit, "Ends the session.";
    all "cputime" "" core::cputime, "Seconds of processor time used so far.";

    all "boardsize" " SIZE [SIZE]" game::boardsize, "An empty board of another size.";
    all "rectangular_boardsize" " COLUMNS ROWS" game::rectangular_boardsize, "As boardsize; the numbers must be equal.";
    all "clear_board" "" game::clear_board, "A new game on the same board.";
    all "play" " COLOUR MOVE" game::play, "Plays a move.";
    all "undo" "" game::undo, "Takes back the last move.";
    all "gg-undo" " [COUNT]" game::gg_undo, "Takes back several moves.";
    all "genmove" " COLOUR" game::genmove, "Thinks and plays a move.";
    all "reg_genmove" " COLOUR" game::reg_genmove, "Thinks and says a move without playing it.";
    all "showboard" "" game::showboard, "The board as a diagram.";
    all "loadsgf" " FILE [MOVE_NUMBER]" game::loadsgf, "Puts up the position of a record before a move, or at its end.";
    all "printsgf" "" game::printsgf, "The game so far as a record.";
    all "final_score" "" game::final_score, "The result, e.g. B+3.5.";
    all "all_legal" " COLOUR" game::all_legal, "All legal moves of a colour.";
    all "list_stones" " COLOUR" game::list_stones, "All stones of a colour.";

    all "komi" " NUMBER" board::komi, "Sets komi, a whole or half number; without effect in Hex and Havannah.";
    go "get_komi" "" board::get_komi, "Komi.";
    go "fixed_handicap" " STONES" board::fixed_handicap, "Handicap stones on star points.";
    go "place_free_handicap" " STONES" board::place_free_handicap, "Handicap stones where the engine likes.";
    go "set_free_handicap" " POINT POINT..." board::set_free_handicap, "Handicap stones on these points.";
    go "final_status_list" " alive|dead|seki" board::final_status_list, "Stones of that status, a chain per line.";
    go "kata-set-rules" " RULES" board::set_rules, "Takes up a rule set.";
    go "kata-get-rules" "" board::get_rules, "The rules, as JSON.";

    all "time_settings" " MAIN PERIOD STONES" time::time_settings, "Main time and Canadian overtime, in seconds.";
    all "time_left" " COLOUR SECONDS STONES" time::time_left, "What is left on a clock.";
    all "kgs-time_settings" " none|absolute|byoyomi|canadian [SECONDS]..." time::kgs_time_settings, "How time is given.";
    all "kata-time_settings" " none|absolute|byoyomi|canadian|fischer [SECONDS]..." time::kgs_time_settings, "How time is given.";
    all "kata-list_time_settings" "" time::list_time_settings, "The kinds of time control.";

    all "lz-analyze" " [COLOUR] [CENTISECONDS] [KEY VALUE]..." analyze::lz_analyze, "Analyses until the next line of input; win rates x 10000.";
    all "kata-analyze" " [COLOUR] [CENTISECONDS] [KEY VALUE]..." analyze::kata_analyze, "Analyses until the next line of input; win rates from 0 to 1.";
    all "analyze" " [COLOUR] [CENTISECONDS] [KEY VALUE]..." analyze::kata_analyze, "As kata-analyze.";
    all "lz-genmove_analyze" " [COLOUR] [CENTISECONDS] [KEY VALUE]..." analyze::lz_genmove_analyze, "Thinks aloud and plays a move.";
    all "kata-genmove_analyze" " [COLOUR] [CENTISECONDS] [KEY VALUE]..." analyze::kata_genmove_analyze, "Thinks aloud and plays a move.";
    all "genmove_analyze" " [COLOUR] [CENTISECONDS] [KEY VALUE]..." analyze::kata_genmove_analyze, "As kata-genmove_analyze.";
    all "cgos-genmove_analyze" " COLOUR" analyze::cgos_genmove_analyze, "Plays a move and says what it thought, as one line of JSON.";

    go "kgs-rules" " RULES" clients::kgs_rules, "Takes up a rule set; dead stones will be agreed on.";
    go "kgs-genmove_cleanup" " COLOUR" clients::kgs_genmove_cleanup, "Plays a move that takes dead stones off the board, or passes.";
    all "kgs-game_over" "" clients::kgs_game_over, "Nothing more is to be played.";
    all "kgs-chat" " WHERE WHO TEXT" clients::kgs_chat, "Says something polite.";
    all "gogui-analyze_commands" "" clients::gogui_analyze_commands, "What GoGui may offer for analysis.";
    all "hexgui-analyze_commands" "" clients::hexgui_analyze_commands, "What HexGUI may offer for analysis.";
    all "gogui-play_sequence" " [COLOUR MOVE]..." clients::play_sequence, "Plays several moves.";
    all "gogui-setup" " [COLOUR POINT]..." clients::setup, "Puts stones on the empty board.";
    all "gogui-setup_player" " COLOUR" clients::setup_player, "Says who is to move.";
    all "gogui-interrupt" "" clients::interrupt, "Promises that '# interrupt' ends the thinking about a move.";
    all "gogui-rules_game_id" "" clients::rules_game_id, "The game.";
    all "gogui-rules_board" "" clients::rules_board, "The board, X for black.";
    all "gogui-rules_board_size" "" clients::rules_board_size, "Size and shape of the board.";
    all "gogui-rules_legal_moves" "" clients::rules_legal_moves, "All legal moves.";
    all "gogui-rules_side_to_move" "" clients::rules_side_to_move, "Who is to move.";
    all "gogui-rules_final_result" "" clients::rules_final_result, "The result in words, or nothing.";

    hex "compute-inferior" " COLOUR" hex::inferior, "Cells that a colour need not consider, and why.";
    hex "compute-fillin" " COLOUR" hex::fill_in, "Those that can be filled in.";
    hex "compute-vulnerable" " COLOUR" hex::vulnerable, "Those that a reply kills.";
    hex "compute-dominated" " COLOUR" hex::dominated, "Those for which others are as good.";
    hex "vc-build" " COLOUR" hex::inferior, "As compute-inferior; connections are built when asked for.";
    hex "vc-get-mustplay" " COLOUR" hex::mustplay, "Inferior cells, and x for those outside the mustplay.";
    hex "vc-between-cells-full" " COLOUR FROM TO" hex::between_full, "Full connections between two cells or sides.";
    hex "vc-between-cells-semi" " COLOUR FROM TO" hex::between_semi, "Semi connections between two cells or sides.";
    hex "vc-connected-to-full" " COLOUR FROM" hex::connected_full, "What a cell or side has a full connection to.";
    hex "vc-connected-to-semi" " COLOUR FROM" hex::connected_semi, "What a cell or side has a semi connection to.";
    hex "vc-connected-to" " FROM COLOUR 0|1" hex::connected_either, "The same; 0: full, 1: semi.";
    hex "vc-winning-carrier" " COLOUR" hex::winning_carrier, "The cells that are enough to join the sides.";
    hex "eval-resist" " COLOUR" hex::resistance, "How the circuit evaluates the position.";
    hex "eval-resist-cells" " [COLOUR]" hex::energies, "How much of the current goes through each cell.";
    hex "dfpn-solve-state" " COLOUR [SECONDS]" hex::solve, "Who wins if a colour is to move.";
    hex "dfs-solve-state" " COLOUR [SECONDS]" hex::solve, "As dfpn-solve-state.";
    hex "solve-state" " COLOUR [SECONDS]" hex::solve, "As dfpn-solve-state.";
    hex "dfpn-solver-find-winning" " COLOUR [SECONDS]" hex::find_winning, "All moves worth considering that win.";
    hex "dfs-solver-find-winning" " COLOUR [SECONDS]" hex::find_winning, "As dfpn-solver-find-winning.";
    hex "kosumi-inferior-colours" " COLOUR" hex::inferior_colours, "Inferior cells as a board of colours, for GoGui.";
    hex "kosumi-influence" "" hex::influence, "The currents of both colours as a board of numbers, for GoGui.";
    hex "kosumi-gammas" " COLOUR" hex::gammas, "The strength of each move by patterns.";
    hex "kosumi-priors" " COLOUR" hex::priors, "The prior of each move by patterns.";
    hex "kosumi-net" " COLOUR" hex::net, "The probability of each move by the net.";
    hex "kosumi-net-chance" " COLOUR" hex::net_chance, "The probability of winning by the net.";

    all "kosumi-param" " [NAME [VALUE]]" own::param, "Lists, tells or sets parameters.";
    all "kosumi-params-toml" "" own::params_toml, "All parameters as a configuration file.";
    all "kosumi-weights" "" own::weights, "The learned weights in use, with their hash.";
    all "kosumi-tree" " [LEVELS [MIN_VISITS]]" own::tree, "The top of the search tree as JSON.";
    all "kosumi-info" "" own::info, "About the last search, as JSON.";
    all "kosumi-verify" "" own::verify, "Recomputes the whole search tree and compares.";
    all "kosumi-gfx" "" own::gfx, "The last search as a picture for GoGui.";
    all "kosumi-visits" "" own::visits, "How often the search has tried each move from here.";
    all "kosumi-values" "" own::values, "How the search values each move from here.";
    all "kosumi-line" "" own::line, "The line the search expects from here.";
}

/// All commands that a game has.
pub fn commands(game: GameKind) -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().filter(move |command| command.only.is_none_or(|only| only == game))
}

/// The command of that name.
pub(super) fn find(name: &str, game: GameKind) -> Option<&'static Command> {
    commands(game).find(|command| command.name == name)
}
