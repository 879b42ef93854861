//! What `?` says about orders, conditions and standing orders.

use super::{read, say, standing};

/// Which help a line asks for: `? if`, `? standing`.
pub(super) fn show(topic: &str) {
    match topic {
        "if" | "else" | "end" | "pause" | "ask-me-if" => conditions(),
        "standing" => orders_in_advance(),
        _ => orders(),
    }
}

fn orders() {
    for (_, form, cost) in read::FORMS {
        say(format!("  {form:58} {cost}").trim_end());
    }
    for line in [
        "  ATTACK is a `fire` or a `combat`. Optional rules: flank (11.9), support (11.8),",
        "  repulsed (11.1), advance after fire (11.10).",
        "  advance, with-leader, ask or stay: what it does if the hex falls empty.",
        "",
        "  such as:  move wool 0905 0806 with van-rensselaer",
        "            combat wool 0906 advance",
        "            if enemy 0806: fire wool 0806 else: move wool 0806",
        "",
        "  moves          what each of your pieces may do after the orders so far",
        "  moves wool     the same of one piece, in full; or of a hex: moves 1005",
        "  show           the orders and standing orders so far",
        "  drop, drop 2   take the last order away, or the second",
        "  insert 2 ...   put an order before the second",
        "  say ...        a word to your opponent",
        "  done           no more orders; q leaves and writes nothing",
        "",
        "  ? if           IF, ELSE, PAUSE and ASK-ME-IF",
        "  ? standing     standing orders for the enemy's half-turn",
    ] {
        say(line);
    }
}

fn conditions() {
    for line in [
        "  Orders are carried out from the top. With IF some depend on how things",
        "  stand when they are reached. On one line:",
        "      if empty 0507: move wool 0507 else: fire wool 0507",
        "      if last held: combat rifles 0906; rally wool",
        "  or line by line, IFs in IFs too:",
        "      if enemy 0507",
        "        fire wool 0507",
        "      else",
        "        move wool 0507",
        "      end",
        "  pause                    stop here and ask me again, with the points left",
        "  ask-me-if last held      the same, only if it holds",
        "  Each of these two costs a mail each way.",
        "",
        "  CONDITION is one of:",
        "      empty 0507   enemy 0507   own 0507      who holds a hex (combat units)",
        "      alive wool   lost wool                  on the board, eliminated",
        "      at wool 0507                            where somebody is",
        "      mp wool 2                               that many MP or more",
        "      points 2                                that many action points or more",
        "      last hit     what came of the order before: hit, missed, eliminated,",
        "                   retreated, held, advanced, repulsed, leader-lost, skipped",
        "  joined with `and`, `or`, `not` and brackets:",
        "      if last held and (points 2 or not alive brock): combat rifles 0906",
    ] {
        say(line);
    }
}

fn orders_in_advance() {
    say("  What your pieces do in the enemy's half-turn where the rules leave a choice:");
    for (_, form, about, rule) in standing::FORMS {
        say(&format!("  {form}"));
        say(&format!("      {about} [{rule}]"));
    }
    for line in [
        "  usual wool               wool does as all the others again",
        "  defaults                 everything as the program would decide it",
        "  such as:  retreat s sw        south if the rules leave it, else south-west",
        "            retreat wool ne     and wool north-east",
        "            escape 1005 1106    leaders flee to 1005, or else 1106",
        "            escape scott stay   and Scott stays where he is",
        "  Directions: n ne se s sw nw, or 1 to 6; `away` is straight from the",
        "  attacker. A line with a name in it is for that piece alone. `ask` asks you",
        "  when it comes to that, which costs a mail each way. What does not fit when",
        "  it comes to it is passed over.",
    ] {
        say(line);
    }
}
