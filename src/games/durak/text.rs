//! The position for programs (observations, traces) and for people (drawings).

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::deal::dealt_deck;
use super::rules::Rules;
use super::state::{Phase, Public, State, View, list};
use crate::games::cards::{Card, cards};
use crate::games::{Field, Observation, Seat, Style};

/// The fields of the bot protocol, in its order.
pub(super) fn observation(rules: &Rules, view: &View) -> Observation {
    let public = &view.public;
    let texts = |mask: u64| -> Value { cards(mask).map(|c| c.to_string()).collect() };
    let table: Vec<String> = public
        .pairs()
        .map(|pair| match pair.cover {
            Some(cover) => format!("{}>{cover}", pair.attack),
            None => pair.attack.to_string(),
        })
        .collect();
    let seats = || 0..usize::from(rules.players);
    let sizes: Vec<usize> = seats().map(|s| view.hand_size(s)).collect();
    let known: Vec<String> = seats().map(|s| list(view.known(s))).collect();
    let known_lists: Vec<Value> = seats().map(|s| texts(view.known(s))).collect();
    let out: Vec<usize> = seats().filter(|&s| !public.in_game(s)).collect();
    let numbers = |list: &[usize]| {
        list.iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(",")
    };
    let field = |name, text: String, json| Field { name, text, json };
    let number = |name, n: usize| field(name, n.to_string(), json!(n));
    Observation(vec![
        number("seat", view.seat()),
        field("hand", list(view.hand), texts(view.hand)),
        field("table", table.join(","), json!(table)),
        field(
            "trump",
            public.trump_card().to_string(),
            json!(public.trump_card().to_string()),
        ),
        number("talon", public.talon()),
        field("hands", numbers(&sizes), json!(sizes)),
        number("attacker", public.lead()),
        number("defender", public.defender()),
        field(
            "taking",
            if public.taking() { "yes" } else { "no" }.to_owned(),
            json!(public.taking()),
        ),
        field("known", known.join(";"), json!(known_lists)),
        field("discard", list(view.discard()), texts(view.discard())),
        number("limit", public.limit()),
        field("out", numbers(&out), json!(out)),
    ])
}

/// The fields of a trace's first line.
pub(super) fn deal_fields(rules: &Rules, initial: &State) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("rules".to_owned(), Value::Object(rules.fields()));
    fields.insert("deck".to_owned(), json!(dealt_deck(rules, initial)));
    fields
}

/// What is known of a hand, for drawings.
enum Hand {
    /// All of it, and which of its cards everybody knows.
    Open(u64, u64),
    /// Its size, and cards publicly known to be in it.
    Hidden(usize, u64),
}

/// Writes a card with its suit's symbol, red suits in red and trumps bold where colours may be.
fn symbol(card: Card, trumps: u64, style: Style) -> String {
    let [rank, _] = card.letters();
    let suit = ['♣', '♦', '♥', '♠'][usize::from(card.suit()) & 3];
    if !style.colour {
        return format!("{rank}{suit}");
    }
    let red = matches!(card.suit(), 1 | 2);
    let bold = card.bit() & trumps != 0;
    match (red, bold) {
        (true, true) => format!("\x1b[1;31m{rank}{suit}\x1b[0m"),
        (true, false) => format!("\x1b[31m{rank}{suit}\x1b[0m"),
        (false, true) => format!("\x1b[1m{rank}{suit}\x1b[0m"),
        (false, false) => format!("{rank}{suit}"),
    }
}

/// Cards of a mask for people: plain suits first, trumps last, each from its lowest.
fn symbols(mask: u64, trumps: u64, style: Style) -> String {
    symbol_list(mask, trumps, style).join(" ")
}

/// Trumps last.
fn symbol_list(mask: u64, trumps: u64, style: Style) -> Vec<String> {
    let ordered = cards(mask & !trumps).chain(cards(mask & trumps));
    ordered.map(|c| symbol(c, trumps, style)).collect()
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "card" } else { "cards" }
}

/// The drawing of a position; `hand` says what is shown of each hand.
fn draw(
    rules: &Rules,
    public: &Public,
    style: Style,
    discard: u64,
    talon: Option<String>,
    hand: impl Fn(Seat) -> Hand,
) -> String {
    let mut out = String::new();
    let trumps = public.trumps;
    let trump = symbol(public.trump_card(), trumps, style);
    // Writing to a `String` cannot fail.
    let _ = match public.talon() {
        0 => writeln!(out, "trump {trump} (drawn)   talon empty"),
        1 => writeln!(out, "trump {trump}   talon 1 card"),
        n => writeln!(out, "trump {trump}   talon {n} cards"),
    };
    if let Some(order) = talon.filter(|order| !order.is_empty()) {
        let _ = writeln!(out, "talon, next first: {order}");
    }
    if discard != 0 {
        // Lines of less than 80 characters.
        let list = symbol_list(discard, trumps, style);
        for (index, part) in list.chunks(23).enumerate() {
            let name = if index == 0 { "discard" } else { "" };
            let _ = writeln!(out, "{name:7} {}", part.join(" "));
        }
    }
    let table: Vec<String> = public
        .pairs()
        .map(|pair| {
            let attack = symbol(pair.attack, trumps, style);
            match pair.cover {
                Some(cover) => format!("{attack}/{}", symbol(cover, trumps, style)),
                None => format!("{attack}/--"),
            }
        })
        .collect();
    let limit = public.limit();
    let _ = if table.is_empty() {
        writeln!(out, "table   (empty, at most {limit} attacks)")
    } else {
        let attacks = public.attacks();
        writeln!(
            out,
            "table   {}   ({attacks} of at most {limit} attacks)",
            table.join("  ")
        )
    };
    for seat in 0..usize::from(rules.players) {
        let mover = if public.to_move() == Some(seat) {
            '>'
        } else {
            ' '
        };
        let role = role(public, seat);
        let cards = match hand(seat) {
            Hand::Open(mask, 0) => symbols(mask, trumps, style),
            Hand::Open(mask, known) => format!(
                "{}   (all know {})",
                symbols(mask, trumps, style),
                symbols(known, trumps, style)
            ),
            Hand::Hidden(size, 0) => format!("{size} {}", plural(size)),
            Hand::Hidden(size, known) => format!(
                "{size} {}, known {}",
                plural(size),
                symbols(known, trumps, style)
            ),
        };
        let line = format!("{mover} seat {seat} {role:<9} {cards}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

fn role(public: &Public, seat: Seat) -> &'static str {
    if public.phase == Phase::Over {
        return if usize::from(public.fool) == seat {
            "the fool"
        } else {
            "out"
        };
    }
    if !public.in_game(seat) {
        "out"
    } else if seat == public.defender() {
        if public.taking() { "takes" } else { "defends" }
    } else if seat == public.lead() {
        "attacks"
    } else {
        ""
    }
}

/// What the owner of a view may know, for people.
pub(super) fn draw_view(rules: &Rules, view: &View, style: Style) -> String {
    draw(rules, &view.public, style, view.discard(), None, |seat| {
        if seat == view.seat() {
            Hand::Open(view.hand, view.known(seat))
        } else {
            Hand::Hidden(view.hand_size(seat), view.known(seat))
        }
    })
}

/// The whole truth, for replays.
pub(super) fn draw_state(rules: &Rules, state: &State, style: Style) -> String {
    let trumps = state.public.trumps;
    let order: Vec<String> = state
        .talon_order()
        .map(|c| symbol(c, trumps, style))
        .collect();
    draw(
        rules,
        &state.public,
        style,
        state.discard(),
        Some(order.join(" ")),
        |seat| Hand::Open(state.hand(seat), state.hand(seat) & state.public.seen),
    )
}
