//! Many engines in one process: their memory is one budget, and what a net has seen is evaluated once.

use kosumi_engine::{Engine, EngineOptions, Resources};
use kosumi_record::GameKind;
use kosumi_search::Limits;

fn options(game: GameKind, size: usize, memory_mb: usize) -> EngineOptions {
    let mut options = EngineOptions::new(game);
    options.size = Some(size);
    options.memory_mb = Some(memory_mb);
    options.threads = Some(1);
    options.set.push(("stop.early".to_owned(), "false".to_owned()));
    options
}

/// Bytes of this process in memory, at most so far; `None` where the system does not tell.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// 64 engines of three games with 1 GB for all, all searching at once: nothing fails, and the growth of
/// the process stays within the budget.
#[test]
fn sixty_four_engines_keep_within_one_gigabyte() {
    let resources = Resources::new(1000);
    let before = peak_bytes();
    let mut engines: Vec<Engine> = (0..64)
        .map(|number| {
            let (game, size) = [
                (GameKind::Go, 9),
                (GameKind::Hex, 9),
                (GameKind::Havannah, 6),
                (GameKind::Go, 19),
            ][number % 4];
            Engine::with_resources(&options(game, size, 13), &resources).unwrap()
        })
        .collect();
    let refused = Engine::with_resources(&options(GameKind::Go, 9, 100), &resources);
    assert!(refused.is_err_and(|error| error.to_string().contains("search.memory")));
    for _ in 0..2 {
        let running: Vec<_> = engines
            .iter_mut()
            .map(|engine| engine.start(engine.to_move(), Limits::simulations(400)).unwrap())
            .collect();
        for (engine, thinking) in engines.iter_mut().zip(running) {
            thinking.wait();
            engine.halt().unwrap();
            let analysis = thinking.analysis().unwrap();
            assert_eq!(analysis.simulations, 400, "{:?}", engine.game());
            let best = analysis.best().unwrap().mv.clone();
            engine.play(analysis.to_move, &best).unwrap();
        }
    }
    if let (Some(before), Some(after)) = (before, peak_bytes()) {
        assert!(after - before < 1000 << 20, "{} MB", (after - before) >> 20);
    }
    let reserved = resources.reserved();
    drop(engines);
    assert_eq!((reserved, resources.reserved()), ((64 * 13) << 20, 0));
}

#[test]
fn engines_share_what_a_net_has_seen() {
    let resources = Resources::new(200);
    let mut evaluated = Vec::new();
    for _ in 0..2 {
        let mut options = options(GameKind::Havannah, 5, 20);
        options.set.push(("rules.swap".to_owned(), "false".to_owned()));
        let mut engine = Engine::with_resources(&options, &resources).unwrap();
        let thinking = engine.start(engine.to_move(), Limits::simulations(100)).unwrap();
        thinking.wait();
        engine.halt().unwrap();
        evaluated.push((thinking.analysis().unwrap().moves, resources.cache().unwrap().misses));
    }
    assert!(evaluated[0].1 > 50, "{}", evaluated[0].1);
    assert_eq!(evaluated[0], evaluated[1], "the same search, and nothing was evaluated again");
}

#[test]
fn memory_of_an_engine_can_change_and_what_is_not_there_is_refused() {
    let resources = Resources::new(100);
    let mut one = Engine::with_resources(&options(GameKind::Hex, 7, 40), &resources).unwrap();
    let _other = Engine::with_resources(&options(GameKind::Hex, 7, 20), &resources).unwrap();
    one.set_param("search.memory", "60").unwrap();
    let error = one.set_param("search.memory", "80").unwrap_err().to_string();
    assert!(error.contains("80 MB") && error.contains("100 MB"), "{error}");
    // It goes on as it was.
    assert_eq!(one.params().search.memory_mb, 60);
    assert_eq!(resources.reserved(), 80 << 20);
    let thinking = one.start(one.to_move(), Limits::simulations(50)).unwrap();
    thinking.wait();
    one.halt().unwrap();
}
