//! Documents that broke other programs (reports.md, "YAML and ids"): each is answered with an error, at once.

use std::time::{Duration, Instant};

use countersign::doc::{Packet, SignedFile, StepFile, Tree, yaml};
use countersign::draft::Draft;

const LIMIT: usize = 1 << 20;

/// Reads as a value of any type and as two typed documents; all must refuse, in well under a second together. The
/// thread has the smallest stack a main thread of Windows has: 1 MB.
fn refused(name: &str, text: &str) {
    let owned = text.to_owned();
    let start = Instant::now();
    let messages = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(move || {
            let tree = yaml::read::<Tree>(&owned, "f", LIMIT).err();
            let draft = yaml::read::<Draft>(&owned, "f", LIMIT).err();
            let step = yaml::read::<StepFile>(&owned, "f", LIMIT).err();
            let bytes = yaml::read_bytes::<Tree>(owned.as_bytes(), "f", LIMIT).err();
            [tree, draft, step, bytes]
                .map(|errors| errors.map(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>()))
        })
        .unwrap()
        .join()
        .unwrap_or_else(|_| panic!("{name}: panicked"));
    for errors in messages {
        let errors = errors.unwrap_or_else(|| panic!("{name}: accepted"));
        assert!((1..=20).contains(&errors.len()), "{name}: {} errors", errors.len());
        assert!(errors.iter().all(|e| e.len() < 2_000), "{name}: an error of {} bytes", errors[0].len());
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{name}: {:?}", start.elapsed());
}

/// serde-yaml 53 and 114, succinctly 1193.
#[test]
fn deep_nesting() {
    refused("200 kB of [", &"[".repeat(200_000));
    refused("200 kB of {", &"{".repeat(200_000));
    refused("20,000 lists, closed", &("[".repeat(20_000) + &"]".repeat(20_000)));
    refused("20,000 maps, closed", &("{a: ".repeat(20_000) + "1" + &"}".repeat(20_000)));
    refused("20,000 dashes", &"- ".repeat(20_000));
    refused("20,000 question marks", &"? ".repeat(20_000));
    refused("1,000 levels of block", &(0..1_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect::<String>());
    refused("mixed brackets", &"[{".repeat(100_000));
    refused("closing brackets", &"]".repeat(200_000));
    refused("quotation marks", &"\"".repeat(200_001));
}

/// serde-yaml 53, succinctly 152: laughs by the billion, and chains.
#[test]
fn aliases() {
    let mut laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for n in 1..9 {
        let again = vec![format!("*a{}", n - 1); 9].join(", ");
        laughs.push_str(&format!("a{n}: &a{n} [{again}]\n"));
    }
    refused("nine levels of laughs", &laughs);
    let mut chain = "- &x0 [1]\n".to_owned();
    for n in 1..50_000 {
        chain.push_str(&format!("- &x{n} [*x{}]\n", n - 1));
    }
    chain.truncate(chain[..LIMIT.min(chain.len())].rfind('\n').map_or(0, |at| at + 1));
    refused("chain of 50,000 aliases", &chain);
    refused("50,000 uses of one anchor", &format!("a: &a [1]\nb: [{}]\n", vec!["*a"; 50_000].join(",")));
    refused("an alias of itself", "a: &a [*a]\n");
    refused("merge keys", "a: &a {x: 1}\nb: {<<: *a}\n");
    refused("a merge of nothing", "<<: {x: 1}\n");
    refused("an alias of nothing", "a: *b\n");
}

#[test]
fn what_is_no_document() {
    refused("empty", "");
    refused("blank lines", "\n\n\n");
    refused("notes alone", "# a\n# b\n");
    refused("binary", &String::from_utf8_lossy(&(0..=255u8).cycle().take(100_000).collect::<Vec<_>>()));
    refused("zeros", &"\0".repeat(100_000));
    refused("too large", &"a".repeat(LIMIT + 1));
    refused("two documents", "a: 1\n---\nb: 2\n");
    refused("100,000 documents", &"---\n".repeat(100_000));
    refused("100,000 values", &"- 1\n".repeat(100_000));
    refused("a tag", "a: !!binary AAAA\n");
    refused("a tag of a program", "a: !!python/object/apply:os.system ['ls']\n");
    refused("an include", "a: !include /etc/passwd\n");
    refused("a directive", "%TAG ! tag:x,2000:\n---\na: 1\n");
    refused("one line of a megabyte", &("a: \"".to_owned() + &"x".repeat(LIMIT - 10) + "\u{a0}\""));
    refused("a key of a megabyte", &("k".repeat(LIMIT - 10) + ": 1\n"));
    refused("a megabyte of blanks", &" ".repeat(LIMIT));
    refused("half a megabyte of line ends and a bracket", &("\n".repeat(LIMIT / 2) + "["));
}

#[test]
fn keys_that_stand_twice() {
    refused("in a list of two", "a: 1\na: 2\n");
    refused("quoted", "a: 1\n\"a\": 2\n");
    refused("inside", "x:\n  - {y: 1, 'y': 2}\n");
    refused("escaped", "a: 1\n\"\\x61\": 2\n");
    refused("100,000 times", &"a: 1\n".repeat(100_000));
}

/// serde-yaml 134 and 179, pyyaml 107, yq 201: never another hex.
#[test]
fn hexes_that_look_like_numbers() {
    for hex in ["0807", "0810", "0812", "0x12", "0o12", "1e3", "017", "1_000", ".5", "+5"] {
        refused(hex, &format!("hex: {hex}\n"));
        refused(hex, &format!("- {hex}\n"));
        refused(hex, &format!("{hex}: 1\n"));
        let tree = yaml::read::<Tree>(&format!("\"{hex}\": '{hex}'\n"), "f", 100);
        assert_eq!(tree, Ok(Tree::Map(vec![(hex.to_owned(), Tree::Text(hex.to_owned()))])), "{hex}");
    }
}

/// The largest document that is taken costs no time either.
#[test]
fn a_large_good_document() {
    let text: String = (0..9_000).map(|n| format!("key{n}: \"{}\"\n", "x".repeat(90))).collect();
    let start = Instant::now();
    let tree = yaml::read::<Tree>(&text, "f", LIMIT).unwrap();
    assert!(matches!(tree, Tree::Map(entries) if entries.len() == 9_000));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

/// mailvelope 200, openpgpjs 1548, PgpCore 306: files and packets of the wrong kind have their errors too.
#[test]
fn files_and_packets() {
    let texts = ["", "\n", "[", "a: 1\n", "countersign packet 1\n", "-----BEGIN SSH SIGNATURE-----\n", "\u{feff}"];
    for text in
        texts.map(str::to_owned).into_iter().chain([" ".repeat(9 << 20), "\n".repeat(9 << 20), "-".repeat(9 << 20)])
    {
        let start = Instant::now();
        assert!(SignedFile::parse(text.as_bytes()).is_err());
        assert!(Packet::parse(text.as_bytes()).is_err());
        assert!(Packet::find(text.as_bytes()).is_err());
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
}
