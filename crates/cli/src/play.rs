//! `kosumi play`
use clap::Args;
/// Measures
#[derive(Args, Default)]
pub struct Arguments {}
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    Ok(())
}
