//! A match in ten lines: Kosumi at 200 simulations against Kosumi at 100, Hex 7x7.
//! `cargo run --release -p kosumi-lab --example ten_lines -- target/release/kosumi`

use std::sync::atomic::AtomicBool;

use kosumi_lab::{Journal, KosumiPlayer, Match, NoObserver, Openings, Rulebook, Run};
use kosumi_record::GameKind;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rulebook = Rulebook::new(GameKind::Hex, 7);
    let player = |sims| {
        let mut kosumi = KosumiPlayer::new("strongest");
        kosumi.simulations = Some(sims);
        kosumi.player(&rulebook)
    };
    let mut settings = Match::new(rulebook.clone(), [player(200)?, player(100)?]);
    settings.openings = Openings::Random(2);
    let mut run = Run::new(20);
    run.kosumi = std::env::args().nth(1).ok_or("give the file of kosumi")?.into();
    let mut journal = Journal::resume("ten_lines.jsonl".as_ref(), &settings)?;
    let tally = settings.run(&run, &mut journal, &mut NoObserver, &AtomicBool::new(false))?;
    println!("{} of {} points", tally.score.rate() * 20.0, tally.score.games());
    Ok(())
}
