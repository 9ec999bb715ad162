//! A game as it was played: information, set-up and moves, in the notation of the engines.

use std::borrow::Cow;

use crate::{
    error::{Place, Problem, SgfError, excerpt},
    info::GameInfo,
    notation::{Colour, GameKind, Point},
    text,
    tree::{GameTree, Node, Property},
};

/// A move: who, and what in the notation of the game's engine (`D4`, `pass`, `a1`, `swap-pieces`,
/// `resign`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMove {
    /// Who moves.
    pub colour: Colour,
    /// What is played.
    pub mv: String,
}

/// Stones put on or taken from the board outside play, in the notation of the game's engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// `AB`: points that become black.
    pub black: Vec<String>,
    /// `AW`: points that become white.
    pub white: Vec<String>,
    /// `AE`: points that become empty.
    pub empty: Vec<String>,
    /// `PL`: who is to move.
    pub to_play: Option<Colour>,
}

impl Setup {
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn lists(&self) -> [(&'static str, &Vec<String>); 3] {
        [("AB", &self.black), ("AW", &self.white), ("AE", &self.empty)]
    }

    fn list_mut(&mut self, ident: &str) -> &mut Vec<String> {
        match ident {
            "AB" => &mut self.black,
            "AW" => &mut self.white,
            _ => &mut self.empty,
        }
    }
}

/// What happens at one node: set-up, then at most one move, and what is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The set-up, done before the move.
    pub setup: Setup,
    /// The move.
    pub mv: Option<RecordMove>,
    /// `C`: the comment.
    pub comment: Option<String>,
}

/// A game: its information and the steps of its main line, the root first.
///
/// ```
/// use kosumi_record::{Colour, GameInfo, GameKind, GameRecord};
///
/// let mut record = GameRecord::new(GameInfo::new(GameKind::Go, 9)?);
/// record.info.komi = Some(7.0);
/// record.play(Colour::Black, "E5").comment = Some("tengen".to_owned());
/// record.play(Colour::White, "pass");
/// let text = record.to_tree()?.to_string();
/// assert_eq!(text, "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7];B[ee]C[tengen];W[])");
/// # Ok::<(), kosumi_record::SgfError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The facts about the game.
    pub info: GameInfo,
    /// The root's step (set-up, as a rule, but old records also move there) and one for each node
    /// after it.
    pub steps: Vec<Step>,
}

impl GameRecord {
    /// A game before its first move.
    #[must_use]
    pub fn new(info: GameInfo) -> Self {
        Self { info, steps: vec![Step::default()] }
    }

    /// Reads the main line of a tree.
    ///
    /// # Errors
    /// As [`GameInfo::from_tree`] and [`GameInfo::step`].
    pub fn from_tree(tree: &GameTree) -> Result<Self, SgfError> {
        let info = GameInfo::from_tree(tree)?;
        let steps = tree.main_line().map(|node| info.step(node));
        let steps = steps.collect::<Result<_, _>>()?;
        Ok(Self { info, steps })
    }

    /// The record as a tree of one line, ready to be written or given variations.
    ///
    /// # Errors
    /// A move or point is not on the board, or the information cannot be written; the place is the
    /// number of the step.
    pub fn to_tree(&self) -> Result<GameTree, SgfError> {
        let mut tree = GameTree::new();
        self.info.write_to(&mut tree)?;
        let mut node = GameTree::ROOT;
        for (number, step) in self.steps.iter().enumerate() {
            if number > 0 {
                node = tree.add_child(node);
            }
            let place = Place::Node(number);
            let fail = |problem| SgfError::new(place, problem);
            for (ident, points) in step.setup.lists() {
                let to_sgf = |text: &String| self.info.point_to_sgf(text).map_err(fail);
                let points: Vec<String> = points.iter().map(to_sgf).collect::<Result<_, _>>()?;
                if !points.is_empty() {
                    tree.set(node, ident, &points)?;
                }
            }
            if let Some(colour) = step.setup.to_play {
                tree.set(node, "PL", &[colour.letter()])?;
            }
            if let Some(RecordMove { colour, mv }) = &step.mv {
                let mv = self.info.move_to_sgf(mv).map_err(fail)?;
                tree.set(node, colour.letter(), &[mv])?;
            }
            if let Some(comment) = &step.comment {
                tree.set(node, "C", &[comment])?;
            }
        }
        Ok(tree)
    }

    /// Appends a move and gives its step, for a comment. Whether the move is one shows when the
    /// record is written.
    pub fn play(&mut self, colour: Colour, mv: impl Into<String>) -> &mut Step {
        if self.steps.is_empty() {
            self.steps.push(Step::default());
        }
        self.steps.push(Step { mv: Some(RecordMove { colour, mv: mv.into() }), ..Step::default() });
        let last = self.steps.len() - 1;
        &mut self.steps[last]
    }

    /// The moves of the game in order.
    pub fn moves(&self) -> impl Iterator<Item = &RecordMove> {
        self.steps.iter().filter_map(|step| step.mv.as_ref())
    }

    /// Who moves first: as the set-up before the first move says, else whoever does, else White in
    /// Go with a handicap of two or more, else the colour that begins in this game.
    #[must_use]
    pub fn first_to_play(&self) -> Colour {
        let mut told = None;
        for step in &self.steps {
            told = step.setup.to_play.or(told);
            if let Some(mv) = &step.mv {
                return told.unwrap_or(mv.colour);
            }
        }
        let game = self.info.game;
        told.unwrap_or(match game {
            GameKind::Go if self.info.handicap >= 2 => Colour::White,
            GameKind::Go | GameKind::Hex | GameKind::Havannah => game.first_colour(),
        })
    }
}

impl GameInfo {
    /// What happens at `node`, of whichever line.
    ///
    /// # Errors
    /// A move or set-up point is not on the board, both colours move, the same colour moves twice,
    /// set-up puts two things on one point, or `PL` names no colour. Repeated equal moves and
    /// points count once; repeated set-up properties are joined.
    pub fn step(&self, node: Node<'_>) -> Result<Step, SgfError> {
        self.read_step(node).map_err(|problem| SgfError::new(node.place(), problem))
    }

    fn read_step(&self, node: Node<'_>) -> Result<Step, Problem> {
        let mut step = Step::default();
        let mut marks = Marks::default();
        for property in node.properties() {
            match property.ident() {
                "B" => self.read_move(Colour::Black, property, &mut step)?,
                "W" => self.read_move(Colour::White, property, &mut step)?,
                ident @ ("AB" | "AW" | "AE") => {
                    let list = step.setup.list_mut(ident);
                    for raw in property.raw_values() {
                        self.read_points(raw, ident, list, &mut marks)?;
                    }
                }
                "PL" => step.setup.to_play = Some(read_colour(property)?),
                "C" if step.comment.is_none() => {
                    step.comment = Some(property.text().into_owned()).filter(|t| !t.is_empty());
                }
                _ => {}
            }
        }
        Ok(step)
    }

    fn read_move(
        &self,
        colour: Colour,
        property: Property<'_>,
        step: &mut Step,
    ) -> Result<(), Problem> {
        if property.raw_values().len() > 1 {
            return Err(Problem::BadValue {
                ident: property.ident().to_owned(),
                value: property.raw_values().map(excerpt).take(3).collect::<Vec<_>>().join("]["),
                expected: "one move",
            });
        }
        let mv = RecordMove { colour, mv: self.move_from_sgf(&property.simple_text())? };
        match &step.mv {
            Some(other) if other.colour != colour => return Err(Problem::TwoMoves),
            Some(other) if *other != mv => {
                return Err(Problem::Duplicate { ident: property.ident().to_owned() });
            }
            _ => step.mv = Some(mv),
        }
        Ok(())
    }

    /// A point of set-up, or in Go a rectangle `aa:cc`.
    fn read_points(
        &self,
        raw: &str,
        ident: &str,
        list: &mut Vec<String>,
        marks: &mut Marks,
    ) -> Result<(), Problem> {
        let value = text::unescape(raw, false);
        let value = value.trim();
        let (from, to) = match value.split_once(':') {
            Some((from, to)) if self.game == GameKind::Go => (from, to),
            _ => (value, value),
        };
        let point = |text: &str| {
            self.game
                .point_from_sgf(self.size, text.trim())
                .ok_or_else(|| self.game.bad_point(self.size, value, "point", GameKind::point_sgf))
        };
        let (a, b) = (point(from)?, point(to)?);
        for row in a.row.min(b.row)..=a.row.max(b.row) {
            for column in a.column.min(b.column)..=a.column.max(b.column) {
                let point = Point { column, row };
                match marks.mark(point, ident.as_bytes()[1]) {
                    Mark::New => list.push(self.game.point_text(self.size, point)),
                    Mark::Again => {}
                    Mark::Conflict => {
                        return Err(Problem::SetupConflict {
                            point: self.game.point_text(self.size, point),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// The move that a value of `B` or `W` says, in the notation of the engine.
    ///
    /// # Errors
    /// It is no move on this board.
    pub fn move_from_sgf(&self, value: &str) -> Result<String, Problem> {
        let value = value.trim();
        if let Some(point) = self.game.point_from_sgf(self.size, value) {
            return Ok(self.game.point_text(self.size, point));
        }
        match self.game.special_from_sgf(self.size, value) {
            Some(word) => Ok(word.to_owned()),
            None => Err(self.game.bad_point(self.size, value, "move", GameKind::point_sgf)),
        }
    }

    /// The value of `B` or `W` for a move in the notation of the engine, in any case. A
    /// resignation in Go is not a move but a result.
    ///
    /// # Errors
    /// It is no move on this board.
    pub fn move_to_sgf(&self, mv: &str) -> Result<String, Problem> {
        match (self.game, self.game.special_from_text(mv)) {
            (GameKind::Go, Some(_)) => Ok(String::new()),
            (_, Some(word)) => Ok(word.to_owned()),
            (_, None) => self.named_point(mv, "move"),
        }
    }

    /// The value of `AB`, `TR` and the like for a point in the notation of the engine.
    ///
    /// # Errors
    /// It is no point of this board.
    pub fn point_to_sgf(&self, point: &str) -> Result<String, Problem> {
        self.named_point(point, "point")
    }

    fn named_point(&self, text: &str, what: &'static str) -> Result<String, Problem> {
        match self.game.point_from_text(self.size, text) {
            Some(point) => Ok(self.game.point_sgf(self.size, point)),
            None => Err(self.game.bad_point(self.size, text, what, GameKind::point_text)),
        }
    }
}

fn read_colour(property: Property<'_>) -> Result<Colour, Problem> {
    let value: Cow<'_, str> = property.simple_text();
    match value.trim().to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Colour::Black),
        "w" | "white" => Ok(Colour::White),
        _ => Err(Problem::BadValue {
            ident: property.ident().to_owned(),
            value: excerpt(&value),
            expected: "PL[B] or PL[W]",
        }),
    }
}

/// Which list each point of a node's set-up is in; made at the first point, as few nodes have any.
#[derive(Default)]
struct Marks(Vec<u8>);

enum Mark {
    New,
    Again,
    Conflict,
}

impl Marks {
    fn mark(&mut self, point: Point, list: u8) -> Mark {
        const SIDE: usize = 26;
        self.0.resize(SIDE * SIDE, 0);
        let mark = &mut self.0[usize::from(point.row) * SIDE + usize::from(point.column)];
        match *mark {
            0 => {
                *mark = list;
                Mark::New
            }
            old if old == list => Mark::Again,
            _ => Mark::Conflict,
        }
    }
}
