//! `kosumi bench`
use clap::Args;
/// Measures
#[derive(Args)]
pub struct Arguments {}
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    Ok(())
}
