"""What happens at any table, told."""

from events.table import (
    CampaignOpened,
    CampaignRenamed,
    CharacterCreated,
    CharacterHidden,
    CharacterOwnerChanged,
    CharacterRenamed,
    CharacterRetired,
    CharacterRevealed,
    ClockAdvanced,
    CoinsGained,
    CoinsGiven,
    CoinsSpent,
    DiceModeSet,
    DiceRolled,
    EntropyAdded,
    GmNoted,
    InviteMade,
    InviteRevoked,
    ItemsGained,
    ItemsGiven,
    ItemsSpent,
    MemberJoined,
    MemberRemoved,
    MemberRoleChanged,
    Narrated,
    NumberCorrected,
    RefusalOverridden,
    Said,
    SecretDiceRevealed,
    SessionClosed,
    SessionOpened,
    SettingsChanged,
    TradeAgreed,
    TradeDropped,
    TradeOffered,
    Whispered,
)
from projections.sentences.saying import (
    Sayings,
    a_member,
    a_span,
    an_instant,
    choose,
    goods,
    number_called,
    say,
    some_coins,
    some_settings,
    the_old_name,
)

SAYINGS: Sayings = {
    CampaignOpened: say("The campaign “{name}” begins, with the rules of {systems}."),
    CampaignRenamed: say("The campaign is now called “{name}”."),
    SettingsChanged: say("The table agrees on {settings}.", settings=some_settings),
    DiceModeSet: choose(
        lambda told: told.dice_mode,
        {
            "server": say("From now on the server throws the dice."),
            "table": say("From now on whoever rolls throws real dice and says what they show."),
            "gm": say("From now on the game master throws all dice."),
        },
    ),
    InviteMade: choose(
        lambda told: bool(told.expires_us),
        {
            False: say(
                "{actor} invites {uses} person to join as {role}.",
                plural="{actor} invites {uses} people to join as {role}.",
                count="uses",
            ),
            True: say(
                "{actor} invites {uses} person to join as {role}, until {expires_us}.",
                plural="{actor} invites {uses} people to join as {role}, until {expires_us}.",
                count="uses",
                expires_us=an_instant,
            ),
        },
    ),
    InviteRevoked: say("{actor} takes an invite back."),
    MemberJoined: say("{member} joins the table as {role}.", member=a_member),
    MemberRoleChanged: say("{member} is now {role}.", member=a_member),
    MemberRemoved: choose(
        lambda told: told.left,
        {
            True: say("{member} leaves the table.", member=a_member),
            False: say("{actor} removes {member} from the table.", member=a_member),
        },
    ),
    SessionOpened: choose(
        lambda told: bool(told.title),
        {True: say("Session {session} opens: {title}."), False: say("Session {session} opens.")},
    ),
    EntropyAdded: say("{member} adds “{entropy}” to the dice of the session.", member=a_member),
    SecretDiceRevealed: say("The seed of the secret dice of session {session} is revealed to the game masters."),
    SessionClosed: say("Session {session} closes; the seed of its dice is revealed."),
    CharacterCreated: say("{name} comes into play ({kind}, {system})."),
    CharacterRenamed: say("{before} is now called {name}.", before=the_old_name),
    CharacterOwnerChanged: choose(
        lambda told: told.owner is None,
        {
            True: say("{character} is now played by the game master."),
            False: say("{character} is now played by {owner}.", owner=a_member),
        },
    ),
    CharacterHidden: say("{character} goes out of sight."),
    CharacterRevealed: say("{name} comes into sight ({kind}, {system})."),
    CharacterRetired: choose(
        lambda told: bool(told.reason),
        {True: say("{character} leaves play: {reason}."), False: say("{character} leaves play.")},
    ),
    CoinsGained: say(
        "{character} gains {amount} ({cause}); balance: {balance}.", amount=some_coins, balance=some_coins
    ),
    CoinsSpent: say(
        "{character} spends {amount} ({cause}); balance: {balance}.", amount=some_coins, balance=some_coins
    ),
    CoinsGiven: say("{giver} gives {amount} to {taker} ({cause}).", amount=some_coins),
    ItemsGained: say("{character} gains {quantity} × {item} ({cause})."),
    ItemsSpent: say("{character} parts with {quantity} × {item} ({cause})."),
    ItemsGiven: say("{giver} gives {quantity} × {item} to {taker} ({cause})."),
    TradeOffered: say(
        "{giver} offers {offered} to {taker} for {asked}.",
        offered=goods("offered_coins", "offered_items"),
        asked=goods("asked_coins", "asked_items"),
    ),
    TradeAgreed: say("{taker} accepts the offer of {giver}."),
    TradeDropped: say("The offer of {giver} to {taker} is withdrawn."),
    ClockAdvanced: say("{seconds} go by.", seconds=a_span),
    Said: choose(
        lambda told: told.character is not None,
        {True: say("{character}: “{text}”"), False: say("{actor}: “{text}”")},
    ),
    Narrated: say("{text}"),
    Whispered: choose(
        lambda told: told.character is not None,
        {
            True: say("{character} whispers to {to}: “{text}”", to=a_member),
            False: say("{writer} whispers to {to}: “{text}”", writer=a_member, to=a_member),
        },
    ),
    GmNoted: say("Note of the game master: {text}"),
    NumberCorrected: choose(
        lambda told: told.field.startswith("items."),
        {
            True: say(
                "The game master sets {item} of {character} from {before} to {after}: {reason}.", item=number_called
            ),
            False: say(
                "The game master sets {field} of {character} from {before} to {after}: {reason}.", field=number_called
            ),
        },
    ),
    RefusalOverridden: choose(
        lambda told: bool(told.rule),
        {
            True: say("The game master lets it pass in spite of {rule} ({code}): {reason}."),
            False: say("The game master lets it pass all the same ({code}): {reason}."),
        },
    ),
    DiceRolled: choose(
        lambda told: (told.character is not None, bool(told.comment)),
        {
            (True, True): say("{character} rolls {expression}: {total} ({comment})."),
            (True, False): say("{character} rolls {expression}: {total}."),
            (False, True): say("{actor} rolls {expression}: {total} ({comment})."),
            (False, False): say("{actor} rolls {expression}: {total}."),
        },
    ),
}
