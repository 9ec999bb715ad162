//! What searches do is signed: a change of behaviour changes this number and says so in its commit.
//! `scripts/test` asks the release build for the same number.

#[test]
fn the_signature_is_the_one_on_file() {
    let signature = kosumi_engine::bench::signature().expect("the bench's own positions");
    assert_eq!(
        format!("{signature:016x}"),
        include_str!("../signature.txt").trim(),
        "the behaviour of searches changed: if that was meant, put the new signature on file"
    );
}
