//! OpenSSH's own tool checks our signatures and keys, and we check its.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use countersign::Error;
use countersign::doc::SignedFile;
use countersign::seal::{Namespace, PublicKey, SecretKey, Signature, SignatureFault};

fn tool() -> bool {
    let found = Command::new("ssh-keygen").arg("-?").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    assert!(found || std::env::var("CI").is_err(), "ssh-keygen is missing");
    if !found {
        println!("skipped: needs ssh-keygen");
    }
    found
}

fn run(dir: &Path, args: &[&str], stdin: Option<&str>) -> bool {
    let input = stdin.map_or_else(Stdio::null, |f| fs::File::open(dir.join(f)).unwrap().into());
    let out = Command::new("ssh-keygen").args(args).current_dir(dir).stdin(input).output().unwrap();
    out.status.success()
}

#[test]
fn it_verifies_our_signatures_in_every_namespace_and_not_a_changed_text() {
    if !tool() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let key = SecretKey::from_seed([5; 32]);
    for namespace in Namespace::ALL {
        let document = "countersign: 1\nsay: \"é\"\n";
        fs::write(dir.path().join("x.sig"), Signature::sign(&key, namespace, document.as_bytes()).armor()).unwrap();
        fs::write(dir.path().join("x"), document).unwrap();
        fs::write(dir.path().join("changed"), document.replace('1', "2")).unwrap();
        let line = format!("american namespaces=\"{}\" {}\n", namespace.text(), key.public().line());
        fs::write(dir.path().join("allowed_signers"), line).unwrap();
        let args = ["-Y", "verify", "-f", "allowed_signers", "-I", "american", "-n", namespace.text(), "-s", "x.sig"];
        assert!(run(dir.path(), &args, Some("x")), "{namespace:?}");
        assert!(!run(dir.path(), &args, Some("changed")));
    }
}

#[test]
fn we_verify_its_signatures_and_refuse_other_hashes() {
    if !tool() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    assert!(run(dir.path(), &["-q", "-t", "ed25519", "-N", "correct horse", "-f", "k"], None));
    let text = fs::read_to_string(dir.path().join("k")).unwrap();
    let key = SecretKey::from_openssh(&text, || Ok("correct horse".into())).unwrap();
    let public = PublicKey::parse(&fs::read_to_string(dir.path().join("k.pub")).unwrap()).unwrap();
    assert_eq!(key.public(), public);
    assert!(SecretKey::from_openssh(&text, || Ok("wrong".into())).is_err());
    assert!(SecretKey::from_openssh(&text, || Err(Error::new("no"))).is_err());
    // An unlocked copy signs without asking.
    fs::write(dir.path().join("open"), key.to_openssh("t", None, &mut |b| b.fill(1)).unwrap()).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(dir.path().join("open"), fs::Permissions::from_mode(0o600)).unwrap();
    }
    fs::write(dir.path().join("doc"), "a: 1\n").unwrap();
    for (hash, good) in [("sha512", true), ("sha256", false)] {
        let _ = fs::remove_file(dir.path().join("doc.sig"));
        let option = format!("hashalg={hash}");
        assert!(run(
            dir.path(),
            &["-q", "-Y", "sign", "-f", "open", "-n", "orders@countersign", "-O", &option, "doc"],
            None
        ));
        let armor = fs::read_to_string(dir.path().join("doc.sig")).unwrap();
        let verdict = Signature::from_armor(&armor).and_then(|s| s.verify(&public, Namespace::Orders, b"a: 1\n"));
        assert_eq!(verdict.is_ok(), good, "{hash}");
        if !good {
            assert_eq!(verdict, Err(SignatureFault::HashKind("sha256".into())));
        }
    }
}

#[test]
fn it_reads_our_key_files() {
    if !tool() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let key = SecretKey::from_seed([6; 32]);
    for phrase in [None, Some("correct horse")] {
        let path = dir.path().join("ours");
        fs::write(&path, key.to_openssh("bob", phrase, &mut |b| b.fill(3)).unwrap()).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let out =
            Command::new("ssh-keygen").args(["-y", "-P", phrase.unwrap_or(""), "-f"]).arg(&path).output().unwrap();
        let line = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(PublicKey::parse(&line).unwrap(), key.public());
    }
}

/// What the tool itself signs with a plain key of its own making, in its own spelling: taken as it is, and refused in
/// another namespace, with other line ends, or with anything behind the block (`schemas/protocol.md`, 2).
#[test]
fn its_own_file_is_taken_and_every_mangling_of_it_refused() {
    if !tool() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    assert!(run(dir.path(), &["-q", "-t", "ed25519", "-N", "", "-f", "k"], None));
    let text = fs::read_to_string(dir.path().join("k")).unwrap();
    let public = PublicKey::parse(&fs::read_to_string(dir.path().join("k.pub")).unwrap()).unwrap();
    let never = || Err(Error::new("a plain key asks for no passphrase"));
    assert_eq!(SecretKey::from_openssh(&text, never).unwrap().public(), public);

    let document = "countersign: 1\nsay: \"é\"\n";
    fs::write(dir.path().join("doc"), document).unwrap();
    assert!(run(dir.path(), &["-q", "-Y", "sign", "-f", "k", "-n", "orders@countersign", "doc"], None));
    let whole = document.to_owned() + &fs::read_to_string(dir.path().join("doc.sig")).unwrap();

    let file = SignedFile::parse(whole.as_bytes()).unwrap();
    assert_eq!(file.document, document);
    let verdict = |namespace| file.signature.verify(&public, namespace, document.as_bytes());
    assert_eq!(verdict(Namespace::Orders), Ok(()));
    for other in [Namespace::Terms, Namespace::Host, Namespace::Key] {
        assert_eq!(verdict(other), Err(SignatureFault::Namespace("orders@countersign".into())));
    }
    for (mangled, word) in [
        (whole.replace('\n', "\r\n"), "CRLF"),
        (whole.clone() + "-- \nBob\n", "behind the signature"),
        (whole.clone() + "\n", "behind the signature"),
    ] {
        let what = SignedFile::parse(mangled.as_bytes()).unwrap_err().what;
        assert!(what.contains(word), "{what}");
    }
}
