//! What only the operating system can do: processes with their CPU time, and pinning to cores.
//!
//! Everything has a fallback, so that other systems build and play: there CPU seconds are unknown
//! and nothing is pinned.
#![cfg_attr(unix, allow(unsafe_code))]

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::time::{Duration, Instant};

/// What a process used in its life, with the descendants that it waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Usage {
    /// User and system time; `None` where the system does not tell.
    pub cpu_seconds: Option<f64>,
    /// The most memory it had at once; `None` where the system does not tell.
    pub peak_bytes: Option<u64>,
}

/// How a process ended, and what it used.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// In the system's words, e.g. "exit status: 1".
    pub(crate) status: String,
    pub(crate) usage: Usage,
}

/// The cores that this thread may run on, lowest first.
#[must_use]
pub fn available_cores() -> Vec<usize> {
    system::allowed_cores().unwrap_or_else(|| {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        (0..count).collect()
    })
}

/// Keeps the current thread, and every process it starts from now on, on these cores.
///
/// # Errors
/// The system cannot pin, or a core does not exist or is not allowed.
pub fn pin_current_thread(cores: &[usize]) -> io::Result<()> {
    system::pin(cores)
}

/// A child process that is never left behind: dropping it kills it and all of its group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    exit: Option<Exit>,
}

impl Process {
    /// Starts a command. With `bound_to_thread` the system kills the process when the current
    /// thread ends, however it ends; where the system cannot, the process only sees its pipes
    /// close.
    pub(crate) fn spawn(mut command: Command, bound_to_thread: bool) -> io::Result<Self> {
        system::prepare(&mut command, bound_to_thread);
        let child = command.spawn()?;
        Ok(Self { child, exit: None })
    }

    /// The pipes that the command asked for; each can be taken once.
    pub(crate) fn take_pipes(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        let child = &mut self.child;
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    }

    /// CPU seconds so far, to a hundredth; `None` where the system does not tell.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        system::cpu_seconds(self.child.id())
    }

    /// Whether the process ends by itself within `patience`.
    pub(crate) fn ends_within(&mut self, patience: Duration) -> bool {
        const STEP: Duration = Duration::from_millis(2);
        let start = Instant::now();
        loop {
            if self.exit.is_some() || system::has_ended(&mut self.child) {
                return true;
            }
            if start.elapsed() >= patience {
                return false;
            }
            std::thread::sleep(STEP);
        }
    }

    /// Kills what still runs of the process and its group, and tells how it ended.
    pub(crate) fn end(&mut self) -> &Exit {
        let child = &mut self.child;
        self.exit.get_or_insert_with(|| system::kill_and_reap(child))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
mod system {
    use std::io;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command, ExitStatus};

    use super::{Exit, Usage};

    #[cfg(target_os = "linux")]
    pub(super) fn allowed_cores() -> Option<Vec<usize>> {
        // SAFETY: an all-zero cpu_set_t is an empty set, and the call writes at most the size it
        // is given.
        let set = unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
                return None;
            }
            set
        };
        let most = libc::CPU_SETSIZE as usize;
        // SAFETY: every index is below the size of the set.
        let cores = (0..most).filter(|&core| unsafe { libc::CPU_ISSET(core, &set) });
        Some(cores.collect())
    }

    #[cfg(target_os = "linux")]
    pub(super) fn pin(cores: &[usize]) -> io::Result<()> {
        if cores.is_empty() || cores.iter().any(|&core| core >= libc::CPU_SETSIZE as usize) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // SAFETY: an all-zero cpu_set_t is an empty set, every index is below its size, and the
        // call reads no more than the size it is given.
        let result = unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            for &core in cores {
                libc::CPU_SET(core, &mut set);
            }
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
        };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    #[cfg(target_os = "linux")]
    pub(super) fn cpu_seconds(pid: u32) -> Option<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, in parentheses, may hold blanks; after it user and system time are the 12th
        // and 13th word, in ticks.
        let (_, words) = stat.rsplit_once(')')?;
        let mut words = words.split_whitespace().skip(11);
        let ticks = words.next()?.parse::<u64>().ok()? + words.next()?.parse::<u64>().ok()?;
        // SAFETY: sysconf only reads.
        let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        (per_second > 0).then(|| ticks as f64 / per_second as f64)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn cpu_seconds(_: u32) -> Option<f64> {
        None
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn allowed_cores() -> Option<Vec<usize>> {
        None
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn pin(_: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn prepare(command: &mut Command, bound_to_thread: bool) {
        // Its own group, so that what it starts itself can be killed with it.
        command.process_group(0);
        #[cfg(target_os = "linux")]
        if bound_to_thread {
            // SAFETY: prctl is async-signal-safe and the closure does nothing else.
            unsafe {
                command.pre_exec(|| {
                    libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                    Ok(())
                });
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = bound_to_thread;
    }

    /// Looks without reaping: until it is reaped, the number of the process and of its group is
    /// nobody else's.
    pub(super) fn has_ended(child: &mut Child) -> bool {
        // SAFETY: siginfo_t is plain data, zero is valid, and the call only writes to it.
        let (result, info) = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            let result = libc::waitid(libc::P_PID, child.id() as libc::id_t, &mut info, flags);
            (result, info)
        };
        result != 0 || info.si_signo != 0
    }

    pub(super) fn kill_and_reap(child: &mut Child) -> Exit {
        let pid = child.id() as libc::pid_t;
        // SAFETY: the child is not reaped yet (this runs once), so `pid` is its number and that of
        // its group; status and usage are plain data that the call writes.
        unsafe {
            libc::kill(-pid, libc::SIGKILL);
            let mut status = 0;
            let mut usage: libc::rusage = std::mem::zeroed();
            loop {
                let reaped = libc::wait4(pid, &mut status, 0, &mut usage);
                if reaped == pid {
                    break;
                }
                if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                    return Exit { status: "unknown".to_owned(), usage: Usage::default() };
                }
            }
            let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
            // Kilobytes, except on macOS.
            let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
            Exit {
                status: ExitStatus::from_raw(status).to_string(),
                usage: Usage {
                    cpu_seconds: Some(seconds(usage.ru_utime) + seconds(usage.ru_stime)),
                    peak_bytes: Some(usage.ru_maxrss as u64 * unit),
                },
            }
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;
    use std::process::{Child, Command};

    use super::{Exit, Usage};

    pub(super) fn allowed_cores() -> Option<Vec<usize>> {
        None
    }

    pub(super) fn pin(_: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn cpu_seconds(_: u32) -> Option<f64> {
        None
    }

    pub(super) fn prepare(_: &mut Command, _: bool) {}

    pub(super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    pub(super) fn kill_and_reap(child: &mut Child) -> Exit {
        // An error means that it has ended already.
        let _ = child.kill();
        let status = match child.wait() {
            Ok(status) => status.to_string(),
            Err(_) => "unknown".to_owned(),
        };
        Exit { status, usage: Usage::default() }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;
    use std::process::Stdio;

    use super::*;

    fn shell(script: &str) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        Process::spawn(command, true).unwrap()
    }

    #[test]
    fn tells_how_a_process_ended() {
        let mut process = shell("exit 3");
        assert!(process.ends_within(Duration::from_secs(20)));
        assert_eq!(process.end().status, "exit status: 3");
        let usage = process.end().usage;
        assert!(usage.cpu_seconds.unwrap() < 10.0);
        assert!(usage.peak_bytes.unwrap() > 1000);
    }

    #[test]
    fn kills_the_whole_group() {
        let mut process = shell("sleep 1000 & wait");
        let (_, stdout, _) = process.take_pipes();
        assert!(!process.ends_within(Duration::from_millis(20)));
        assert!(process.end().status.contains("signal: 9"));
        // The pipe ends only when the last process that holds it does.
        let mut output = Vec::new();
        stdout.unwrap().read_to_end(&mut output).unwrap();
    }

    #[test]
    fn what_is_pinned_stays_pinned_with_its_children() {
        let cores = available_cores();
        std::thread::spawn(move || {
            let last = *cores.last().unwrap();
            pin_current_thread(&[last]).unwrap();
            assert_eq!(available_cores(), [last]);
            assert!(pin_current_thread(&[]).is_err());
            assert!(pin_current_thread(&[1 << 20]).is_err());
            let output = Command::new("sh")
                .args(["-c", "grep Cpus_allowed_list /proc/self/status"])
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert_eq!(text.split_whitespace().last().unwrap(), last.to_string());
        })
        .join()
        .unwrap();
    }
}
