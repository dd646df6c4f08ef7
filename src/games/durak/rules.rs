//! The options of Durak: every point on which sources and programs differ, by name.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};

use crate::games::cards;
use crate::spec::{GameSpec, OptionKind, OptionSpec, Settings};

/// Cards of a full hand.
pub(super) const FULL_HAND: u8 = 6;

/// The spec of Durak.
pub const SPEC: GameSpec = GameSpec {
    name: "durak",
    help: "Durak (podkidnoy, or perevodnoy with transfer=on), two to six players, one card per action.",
    options: &[
        option(
            "deck",
            OptionKind::Integer { min: 24, max: 52 },
            "36",
            "Number of cards: 24 (nines up), 36 (sixes up) or 52 (twos up).",
        ),
        option(
            "players",
            OptionKind::Integer { min: 2, max: 6 },
            "2",
            "Number of seats; six cards each must fit into the deck.",
        ),
        option(
            "transfer",
            OptionKind::Choice(OFF_ON),
            "off",
            "Perevodnoy: while nothing is covered, the defender may play a card of the attacks' rank and pass the defence on.",
        ),
        option(
            "show_trump",
            OptionKind::Choice(OFF_ON),
            "off",
            "The defender may transfer by showing the trump of the attacks' rank and keep it, once a bout; needs transfer=on.",
        ),
        option(
            "first_bout_transfer",
            OptionKind::Choice(YES_NO),
            "yes",
            "Whether the first bout may be transferred.",
        ),
        option(
            "first_bout_limit",
            OptionKind::Choice(&["off", "until_first_beaten", "first_bout_only"]),
            "off",
            "Five attacks at most: never, until a bout has been beaten off, or in the first bout only.",
        ),
        option(
            "throw_after_take",
            OptionKind::Choice(YES_NO),
            "yes",
            "Whether cards may be thrown in after the defender has said that it takes.",
        ),
        option(
            "throwers",
            OptionKind::Choice(&["all", "neighbours", "lead", "none"]),
            "all",
            "Who may throw in: everybody but the defender, the seats before and after the defender, the lead attacker, nobody.",
        ),
        option(
            "hand_cap",
            OptionKind::Choice(YES_NO),
            "yes",
            "Whether the defender's hand at the start of the defence bounds the number of attacks.",
        ),
        option(
            "attack_cap",
            OptionKind::Choice(&["6", "off"]),
            "6",
            "The most attacks in a bout: six, or no bound of its own.",
        ),
        option(
            "first_attacker",
            OptionKind::Choice(&["lowest_trump", "random", "seat0"]),
            "lowest_trump",
            "Who leads first: the holder of the lowest trump (by lot if nobody holds one), a random seat, seat 0.",
        ),
        option(
            "trump_ace",
            OptionKind::Choice(&["keep", "redeal"]),
            "keep",
            "Whether the deck is shuffled again if the trump card is an ace.",
        ),
        option(
            "both_empty",
            OptionKind::Choice(&["draw", "defender_loses"]),
            "draw",
            "Both hands empty after the same bout: a draw, or lost by the defender (two players only).",
        ),
        option(
            "transfer_refill",
            OptionKind::Choice(&["transferor", "original_lead"]),
            "transferor",
            "Who draws first after a transferred bout: the last to transfer, or the seat that led the bout.",
        ),
    ],
};

const OFF_ON: &[&str] = &["off", "on"];
const YES_NO: &[&str] = &["yes", "no"];

const fn option(
    name: &'static str,
    kind: OptionKind,
    default: &'static str,
    help: &'static str,
) -> OptionSpec {
    OptionSpec {
        name,
        kind,
        default,
        help,
    }
}

/// Until when a bout has five attacks at most.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FirstBoutLimit {
    /// Never.
    #[default]
    Off,
    /// Until a bout has been beaten off; a take does not lift it.
    UntilFirstBeaten,
    /// In the first bout.
    FirstBoutOnly,
}

/// Who may throw in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Throwers {
    /// Every seat but the defender.
    #[default]
    All,
    /// The seats before and after the defender.
    Neighbours,
    /// The lead attacker.
    Lead,
    /// Nobody, not even the lead.
    Nobody,
}

/// Who leads the first bout.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FirstAttacker {
    /// The holder of the lowest trump; a random seat if nobody holds one.
    #[default]
    LowestTrump,
    /// A random seat.
    Random,
    /// Seat 0.
    Seat0,
}

/// A set of options. The fields are named like the options; see [`SPEC`] for their meanings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct Rules {
    /// Number of cards: 24, 36 or 52.
    pub deck: u8,
    /// Number of seats, 2 to 6.
    pub players: u8,
    /// `transfer = on`.
    pub transfer: bool,
    /// `show_trump = on`.
    pub show_trump: bool,
    /// `first_bout_transfer = yes`.
    pub first_bout_transfer: bool,
    /// `first_bout_limit`.
    pub first_bout_limit: FirstBoutLimit,
    /// `throw_after_take = yes`.
    pub throw_after_take: bool,
    /// `throwers`.
    pub throwers: Throwers,
    /// `hand_cap = yes`.
    pub hand_cap: bool,
    /// `attack_cap = 6`; `false` is `off`.
    pub attack_cap: bool,
    /// `first_attacker`.
    pub first_attacker: FirstAttacker,
    /// `trump_ace = redeal`.
    pub redeal_ace: bool,
    /// `both_empty = defender_loses`.
    pub defender_loses: bool,
    /// `transfer_refill = original_lead`.
    pub original_lead_refills: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            deck: 36,
            players: 2,
            transfer: false,
            show_trump: false,
            first_bout_transfer: true,
            first_bout_limit: FirstBoutLimit::Off,
            throw_after_take: true,
            throwers: Throwers::All,
            hand_cap: true,
            attack_cap: true,
            first_attacker: FirstAttacker::LowestTrump,
            redeal_ace: false,
            defender_loses: false,
            original_lead_refills: false,
        }
    }
}

/// Options of Durak that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("durak: option `{option}`: {problem}")]
pub struct RulesError {
    /// The option.
    pub option: String,
    /// What is wrong with it and what to do.
    pub problem: String,
}

fn refuse<T>(option: &str, problem: String) -> Result<T, RulesError> {
    Err(RulesError {
        option: option.to_owned(),
        problem,
    })
}

/// The position of `settings`' word for `option` among the option's words, the default's if it is
/// not set.
fn word(settings: &Settings, option: &str) -> Result<usize, RulesError> {
    let spec = SPEC.options.iter().find(|o| o.name == option);
    let Some(OptionSpec {
        kind: OptionKind::Choice(words),
        ..
    }) = spec
    else {
        return refuse(option, "is not a choice of words".to_owned());
    };
    let given = match settings.values.get(option) {
        None => return Ok(0),
        Some(value) => value.to_string(),
    };
    match words.iter().position(|w| *w == given) {
        Some(position) => Ok(position),
        None => refuse(
            option,
            format!(
                "`{given}` is none of {}; choose one of them",
                words.join(", ")
            ),
        ),
    }
}

fn number(settings: &Settings, option: &str, default: u8) -> Result<u8, RulesError> {
    match settings.values.get(option) {
        None => Ok(default),
        Some(_) => match settings.integer(option).map(u8::try_from) {
            Some(Ok(n)) => Ok(n),
            _ => refuse(option, "must be a small whole number".to_owned()),
        },
    }
}

impl Rules {
    /// The rules that `settings` name, defaults for the rest, checked.
    ///
    /// # Errors
    /// If an option is unknown or has no such value, or if they cannot be played together; the
    /// error names the option.
    pub fn from_settings(settings: &Settings) -> Result<Self, RulesError> {
        for key in settings.values.keys() {
            if !SPEC.options.iter().any(|o| o.name == key) {
                let names: Vec<_> = SPEC.options.iter().map(|o| o.name).collect();
                return refuse(
                    key,
                    format!("there is no such option; known are {}", names.join(", ")),
                );
            }
        }
        // Every choice lists its default first, so the index 0 is the default.
        let rules = Self {
            deck: number(settings, "deck", 36)?,
            players: number(settings, "players", 2)?,
            transfer: word(settings, "transfer")? == 1,
            show_trump: word(settings, "show_trump")? == 1,
            first_bout_transfer: word(settings, "first_bout_transfer")? == 0,
            first_bout_limit: match word(settings, "first_bout_limit")? {
                0 => FirstBoutLimit::Off,
                1 => FirstBoutLimit::UntilFirstBeaten,
                _ => FirstBoutLimit::FirstBoutOnly,
            },
            throw_after_take: word(settings, "throw_after_take")? == 0,
            throwers: match word(settings, "throwers")? {
                0 => Throwers::All,
                1 => Throwers::Neighbours,
                2 => Throwers::Lead,
                _ => Throwers::Nobody,
            },
            hand_cap: word(settings, "hand_cap")? == 0,
            attack_cap: word(settings, "attack_cap")? == 0,
            first_attacker: match word(settings, "first_attacker")? {
                0 => FirstAttacker::LowestTrump,
                1 => FirstAttacker::Random,
                _ => FirstAttacker::Seat0,
            },
            redeal_ace: word(settings, "trump_ace")? == 1,
            defender_loses: word(settings, "both_empty")? == 1,
            original_lead_refills: word(settings, "transfer_refill")? == 1,
        };
        rules.check()?;
        Ok(rules)
    }

    /// Whether these rules can be played.
    ///
    /// # Errors
    /// Names the option that stands in the way and what to do.
    pub fn check(&self) -> Result<(), RulesError> {
        let (deck, players) = (self.deck, self.players);
        if ![24, 36, 52].contains(&deck) {
            return refuse(
                "deck",
                format!("{deck} is none of 24, 36, 52; choose one of them"),
            );
        }
        if !(2..=6).contains(&players) {
            return refuse("players", format!("{players} is not within 2 to 6"));
        }
        if FULL_HAND * players > deck {
            let most = deck / FULL_HAND;
            return refuse(
                "players",
                format!(
                    "{players} hands of six do not fit into {deck} cards; at most {most} can play, or choose a larger `deck`"
                ),
            );
        }
        if self.show_trump && !self.transfer {
            return refuse(
                "show_trump",
                "showing a trump is a way to transfer; set transfer=on as well".to_owned(),
            );
        }
        if self.defender_loses && players != 2 {
            return refuse(
                "both_empty",
                format!("defender_loses is for two players, not {players}; use both_empty=draw"),
            );
        }
        Ok(())
    }

    /// Every option with its value, in the order of [`SPEC`]: numbers as numbers, else words.
    pub fn fields(&self) -> Map<String, Json> {
        let pick = |first: bool, words: [&str; 2]| json!(words[usize::from(!first)]);
        let off_on = |on: bool| pick(!on, ["off", "on"]);
        let yes_no = |yes: bool| pick(yes, ["yes", "no"]);
        let values = [
            json!(self.deck),
            json!(self.players),
            off_on(self.transfer),
            off_on(self.show_trump),
            yes_no(self.first_bout_transfer),
            json!(match self.first_bout_limit {
                FirstBoutLimit::Off => "off",
                FirstBoutLimit::UntilFirstBeaten => "until_first_beaten",
                FirstBoutLimit::FirstBoutOnly => "first_bout_only",
            }),
            yes_no(self.throw_after_take),
            json!(match self.throwers {
                Throwers::All => "all",
                Throwers::Neighbours => "neighbours",
                Throwers::Lead => "lead",
                Throwers::Nobody => "none",
            }),
            yes_no(self.hand_cap),
            if self.attack_cap {
                json!(6)
            } else {
                json!("off")
            },
            json!(match self.first_attacker {
                FirstAttacker::LowestTrump => "lowest_trump",
                FirstAttacker::Random => "random",
                FirstAttacker::Seat0 => "seat0",
            }),
            pick(!self.redeal_ace, ["keep", "redeal"]),
            pick(!self.defender_loses, ["draw", "defender_loses"]),
            pick(!self.original_lead_refills, ["transferor", "original_lead"]),
        ];
        let names = SPEC.options.iter().map(|o| o.name.to_owned());
        names.zip(values).collect()
    }

    /// The rules as `name:key=value,...`, only what differs from the defaults.
    pub fn text(&self) -> String {
        let mut text = SPEC.name.to_owned();
        let mut separator = ':';
        for ((name, value), default) in self.fields().iter().zip(Self::default().fields().values())
        {
            if value != default {
                let value = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                let _ = write!(text, "{separator}{name}={value}");
                separator = ',';
            }
        }
        text
    }

    /// The cards of the deck as a mask.
    pub(super) fn deck_mask(&self) -> u64 {
        cards::deck_mask(self.deck)
    }
}
