//! Non-interference: two games that differ only in one side's secret plot give the other side identical bytes until the
//! plot is due to be opened, seals, salts, signatures and hashes masked.

mod common;

use std::collections::BTreeMap;

use common::table::two;
use countersign::log::Intent;
use countersign::play::Want;

/// Every run of 40 or more base64 or hexadecimal characters becomes one mark.
fn mask(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.split("-----BEGIN SSH SIGNATURE").next().unwrap_or("").to_owned();
    text.split('"')
        .map(|w| if w.len() == 64 && w.bytes().all(|b| b.is_ascii_hexdigit()) { "#" } else { w })
        .collect::<Vec<_>>()
        .join("\"")
}

fn first_mail(markers: [&str; 4], fire: &str) -> String {
    let mut parties = two("wasp-frolic", 4);
    let Some(Want::Seal { slot, .. }) =
        parties[0].history.wants().iter().find(|w| w.line().contains("american")).cloned()
    else {
        panic!("a plot is asked");
    };
    let step = |m: &&str| {
        format!(
            "{{\"marker\":\"{m}\",\"conduct\":{{\"fire\":{{\"all\":{{\"starboard\":\"{fire}\",\"port\":\"hold\"}}}}}}}}"
        )
    };
    let plot = format!("{{\"steps\":[{}]}}", markers.iter().map(step).collect::<Vec<_>>().join(","));
    assert!(parties[0].send(&Intent { answers: BTreeMap::from([(slot, plot)]), ..Intent::default() }));
    mask(&parties[0].out[0].bytes())
}

#[test]
fn a_sealed_plot_does_not_show_in_what_the_other_gets() {
    let one = first_mail(["straight", "right", "straight", "stop"], "any");
    let two = first_mail(["stop", "left", "stop", "straight"], "hold");
    assert_eq!(one, two);
    for word in ["straight", "\"left", "\"right", "hold", "any", "salt", "content"] {
        assert!(!one.contains(word), "`{word}` stands in a sealed mail:\n{one}");
    }
}

#[test]
fn the_link_of_a_step_is_not_in_the_file_that_only_seals() {
    let one = first_mail(["straight", "right", "straight", "stop"], "any");
    assert!(!one.contains("link:") && !one.contains("opens:"));
}
