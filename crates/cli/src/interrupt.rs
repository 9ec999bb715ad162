//! What Ctrl-C does: a long command stops in good order, a second Ctrl-C ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kosumi_engine::Thinking;

/// The exit code of a program that Ctrl-C has ended, as shells have it.
pub const EXIT_CODE: u8 = 130;

static STOP: AtomicBool = AtomicBool::new(false);
static THINKING: AtomicBool = AtomicBool::new(false);
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Calls `action` at each Ctrl-C from now on, in a thread of its own.
pub fn at_each(action: impl FnMut() + Send + 'static) {
    // Where the system has no such signals, or another handler, Ctrl-C does what it did before.
    let _ = ctrlc::set_handler(action);
}

/// A flag that the first Ctrl-C sets; the second ends the program.
pub fn stop_flag() -> &'static AtomicBool {
    at_each(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            end();
        }
        eprintln!("\nkosumi: Ctrl-C: stopping; press it again to end at once");
    });
    &STOP
}

/// Whether Ctrl-C has been pressed since [`stop_flag`].
pub fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Ends the program at once.
pub fn end() -> ! {
    std::process::exit(i32::from(EXIT_CODE))
}

/// From now on Ctrl-C interrupts the thinking in [`wait_for`]. At the prompt the first one says how
/// to leave and the second one leaves.
pub fn interrupt_thinking() {
    at_each(|| {
        if THINKING.load(Ordering::Relaxed) {
            STOP.store(true, Ordering::Relaxed);
        } else if LEAVING.swap(true, Ordering::Relaxed) {
            end();
        } else {
            eprintln!("\nType 'quit' to leave, or press Ctrl-C again.");
        }
    });
}

/// Forgets a Ctrl-C at the prompt.
pub fn stay() {
    LEAVING.store(false, Ordering::Relaxed);
}

/// Waits for a search; Ctrl-C ends it.
pub fn wait_for(thinking: &dyn Thinking) {
    STOP.store(false, Ordering::Relaxed);
    THINKING.store(true, Ordering::Relaxed);
    // Short searches must not wait for a long nap to end.
    let mut nap = Duration::from_micros(50);
    while thinking.is_running() {
        if STOP.load(Ordering::Relaxed) {
            thinking.stop();
        }
        std::thread::sleep(nap);
        nap = (nap * 5 / 4).min(Duration::from_millis(10));
    }
    THINKING.store(false, Ordering::Relaxed);
    stay();
}
