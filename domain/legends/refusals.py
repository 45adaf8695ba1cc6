"""Why a command of these rules is refused: the codes of the catalogue (section 17.3), and a few of our own."""

from domain.kernel.refusal import Refusal

# Data and sheets.
CAMPAIGN_DATA_MISSING = Refusal(
    "CAMPAIGN_DATA_MISSING", "The campaign has no value that fits for {key}: the game master sets it in the settings."
)
STATS_MISSING = Refusal("CAMPAIGN_DATA_MISSING", "The sheet has no statistics: send all six in “stats”.")
STAT_OUT_OF_RANGE = Refusal("STAT_OUT_OF_RANGE", "{stat} must lie between {least} and {most}.")
DUPLICATE_CLASS = Refusal("DUPLICATE_CLASS", "A double class takes two different classes, not {class_id} twice.")
SUBRACE_MISMATCH = Refusal("SUBRACE_MISMATCH", "{subrace} is no sub-race of {race}: choose another.")
AMOUNT_UNREADABLE = Refusal(
    "INVALID_AMOUNT", "The damage of {item}, “{amount}”, is no dice notation (character {position}): write it anew."
)
INVALID_AMOUNT = Refusal("INVALID_AMOUNT", "{amount} is not possible here: name a number from {least} to {most}.")
UNKNOWN_STAT = Refusal("UNKNOWN_STAT", "There is no statistic {stat}: choose one of {choices}.")

# Life.
CHARACTER_DEAD = Refusal("CHARACTER_DEAD", "{character} is dead: only the game master can bring it back.")
CHARACTER_DOWN = Refusal(
    "CHARACTER_DOWN", "{character} is down: it makes its saves, is raised or is healed first.", overridable=True
)
DOWN_CANNOT = Refusal("CHARACTER_DOWN", "{character} is down: it gets up before this.")
NOT_DOWN = Refusal("NOT_DOWN", "{character} is on its feet and has nothing to save.")
NOT_DEAD = Refusal("NOT_DEAD", "{character} is not dead.")
SAVE_ALREADY_ROLLED = Refusal(
    "SAVE_ALREADY_ROLLED", "{character} has no save to make in this turn: its next turn brings one.", overridable=True
)
TARGET_IS_DOWN = Refusal(
    "TARGET_IS_DOWN", "At this table healing does not raise {character}: saves or a team-mate do.", overridable=True
)
TARGET_NOT_ON_GROUND = Refusal("TARGET_NOT_ON_GROUND", "{character} is not on the ground.")
TARGET_NOT_TEAMMATE = Refusal(
    "TARGET_NOT_TEAMMATE", "A team-mate has to raise {character}, and nobody raises itself.", overridable=True
)

# Checks and luck.
UNKNOWN_CHECK_KIND = Refusal("UNKNOWN_CHECK_KIND", "There is no check of the kind {kind}: choose one of {choices}.")
UNKNOWN_CHECK = Refusal("UNKNOWN_CHECK", "This check is not open: ask the game master to call for it.")
CHECK_OF_ANOTHER = Refusal("CHECK_OF_ANOTHER", "This check was asked of {character}.")
DIFFICULTY_REQUIRED = Refusal(
    "DIFFICULTY_REQUIRED", "A check needs a difficulty: name the “check” that the game master called for, or a “dc”."
)
TERMS_ALREADY_SET = Refusal("TERMS_ALREADY_SET", "The game master has set the terms of this check: leave out {fields}.")
ADVANTAGE_NOT_APPLICABLE = Refusal(
    "ADVANTAGE_NOT_APPLICABLE", "A statistic is compared without dice: leave the advantage out."
)
NO_LUCK_DIE = Refusal("NO_LUCK_DIE", "{character} has no luck die left.")
LUCK_DIE_NOT_ALLOWED = Refusal("LUCK_DIE_NOT_ALLOWED", "No luck die goes with this roll ({reason}): leave it out.")
TOO_LATE_FOR_LUCK_DIE = Refusal(
    "TOO_LATE_FOR_LUCK_DIE", "A luck die is announced with the roll: it cannot be added to one that has fallen."
)
UNKNOWN_COIN_SIDE = Refusal("UNKNOWN_COIN_SIDE", "A coin has no side {side}: name pile or face.")

# The fight.
COMBAT_ALREADY_RUNNING = Refusal("COMBAT_ALREADY_RUNNING", "A fight is on: end it first, or let others join it.")
NOBODY_FIGHTS = Refusal("NOT_IN_COMBAT", "No fight is on: the game master starts one.")
NOT_IN_COMBAT = Refusal("NOT_IN_COMBAT", "{character} takes no part in the fight.")
ALREADY_FIGHTING = Refusal("ALREADY_FIGHTING", "{character} takes part in the fight already.")
IN_COMBAT = Refusal("IN_COMBAT", "{character} is in a fight: it ends first.", overridable=True)
NOT_YOUR_TURN = Refusal("NOT_YOUR_TURN", "It is not the turn of {character}.", overridable=True)
NO_ACTION_LEFT = Refusal(
    "NO_ACTION_LEFT", "{character} has used its action of this turn; sub-actions left: {left}.", overridable=True
)
NO_SUB_ACTION_LEFT = Refusal(
    "NO_SUB_ACTION_LEFT", "{character} has used its sub-action of this turn; actions left: {left}.", overridable=True
)

CONSEQUENCE_PENDING = Refusal(
    "CONSEQUENCE_PENDING", "The turn of {character} begins with its Consequence phase: begin the turn first."
)
SURPRISED = Refusal("SURPRISED", "{character} is surprised and skips this turn.", overridable=True)
NO_STRIKE_LEFT = Refusal("NO_STRIKE_LEFT", "{character} has no strike left in this turn.", overridable=True)
TARGET_INVALID = Refusal("TARGET_INVALID", "{character} cannot be attacked: choose another target.")
ATTACK_DDT_REQUIRED = Refusal(
    "DIFFICULTY_REQUIRED", "It is not known what it takes to hit {character}: the game master sets its DDT."
)
UNKNOWN_WEAPON = Refusal("ITEM_NOT_OWNED", "{character} has nothing called {item} to strike with; it has: {choices}.")
STAT_TOO_LOW = Refusal(
    "STAT_TOO_LOW", "{character} has {actual} in {stat}, and {item} asks for {required}.", overridable=True
)

# Effects.
UNKNOWN_EFFECT = Refusal("UNKNOWN_EFFECT", "{effect} is no effect that a creature bears; there are: {choices}.")
DURATION_REQUIRED = Refusal("DURATION_REQUIRED", "{effect} lasts as long as its source says: name the turns.")
INVALID_DURATION = Refusal("INVALID_DURATION", "{turns} is no duration: name 1 turn or more.")
X_REQUIRED = Refusal("X_REQUIRED", "{effect} comes with a percentage: name it as x.")
ORDER_REQUIRED = Refusal("ORDER_REQUIRED", "{effect} comes with an order: name it.")
ORDER_SELF_HARM = Refusal("ORDER_SELF_HARM", "An order cannot aim at harming {character} itself.", overridable=True)
CONTROLLED_BY_ORDER = Refusal(
    "CONTROLLED_BY_ORDER", "{character} follows an order: {order}. Say that this carries it out.", overridable=True
)
EFFECT_TARGET_DOWN = Refusal("TARGET_IS_DOWN", "{character} is down: no new effect takes hold of it.", overridable=True)
EFFECT_NOT_PRESENT = Refusal("EFFECT_NOT_PRESENT", "{character} does not bear {effect}.")
NOT_RESISTIBLE = Refusal("NOT_RESISTIBLE", "{effect} is no harm, and is not shaken off.")
INCAPACITATED = Refusal("INCAPACITATED", "{character} can do nothing in this turn: {effect}.", overridable=True)
MOVEMENT_BLOCKED = Refusal("MOVEMENT_BLOCKED", "{character} cannot move: {effect}.", overridable=True)
PRONE = Refusal("PRONE", "{character} lies on the ground: it stands up first.", overridable=True)
NOT_PRONE = Refusal("NOT_PRONE", "{character} does not lie on the ground.")
UNKNOWN_REACTION = Refusal("UNKNOWN_REACTION", "{character} has no reaction {reaction}; it has: {choices}.")
REACTION_CONDITION_NOT_MET = Refusal(
    "REACTION_CONDITION_NOT_MET", "The occasion for {reaction} has not come.", overridable=True
)

# Gear.
ITEM_NOT_OWNED = Refusal("ITEM_NOT_OWNED", "{character} does not have {item}, or not enough of it.")
ALREADY_EQUIPPED = Refusal("ALREADY_EQUIPPED", "{character} wears {item} already.")
ALREADY_STOWED = Refusal("ALREADY_STOWED", "{character} does not wear {item}.")
GEAR_NAME_TAKEN = Refusal("GEAR_NAME_TAKEN", "{character} already has a piece called {item}: give it another name.")
UNKNOWN_RARITY = Refusal("UNKNOWN_RARITY", "There is no rarity {rarity}: choose one of {choices}.")
RARITY_AT_MAXIMUM = Refusal("RARITY_AT_MAXIMUM", "{item} is of the highest rarity: choose another piece.")

# Elements.
ELEMENT_LOOP_INVALID = Refusal(
    "ELEMENT_LOOP_INVALID",
    "Elements stand in a loop of five and one of three, each in one place only, and offspring in none.",
)

# Moving about.
ALREADY_MOVED = Refusal("ALREADY_MOVED", "{character} has made its movement of this turn.", overridable=True)
MOVEMENT_EXCEEDED = Refusal(
    "MOVEMENT_EXCEEDED",
    "This path takes {cost} cells, and there are {available}: choose a shorter one.",
    overridable=True,
)
NOT_ON_MAP = Refusal("NOT_ON_MAP", "{character} stands nowhere on the map: the game master places it first.")
OUT_OF_MAP = Refusal("OUT_OF_MAP", "There is no cell ({x}, {y}) on this map.")
CELL_OCCUPIED = Refusal("CELL_OCCUPIED", "There is no room in ({x}, {y}): choose a free cell.")
INVALID_DIRECTION = Refusal("INVALID_DIRECTION", "{direction} does not lead there: choose one of {choices}.")
ITEM_NOT_ON_GROUND = Refusal("ITEM_NOT_ON_GROUND", "No {item} lies on the ground.")
UNKNOWN_SMOKE = Refusal("UNKNOWN_SMOKE", "There is no smoke {smoke}.")
NO_FREE_HAND = Refusal(
    "NO_FREE_HAND", "{character} has not enough hands for {item} ({free} free): stow something first.", overridable=True
)
NO_ANIMAL_SLOT = Refusal("NO_ANIMAL_SLOT", "{character} carries {most} items already: stow one first.")
NOT_AN_ANIMAL_ITEM = Refusal("NOT_AN_ANIMAL_ITEM", "{item} is not made for animals: {character} cannot use it.")
QUIVER_REQUIRED = Refusal(
    "QUIVER_REQUIRED",
    "{character} wears no quiver: equip one, or take a single {item} in hand first.",
    overridable=True,
)
NO_AMMUNITION = Refusal("NO_AMMUNITION", "{character} has no {item} left: buy or gather some.")

# The map.
OUT_OF_RANGE = Refusal(
    "OUT_OF_RANGE", "The target is {distance} cells away, and this reaches {max}: come nearer.", overridable=True
)
PATH_NOT_CONTIGUOUS = Refusal("PATH_NOT_CONTIGUOUS", "The path leaps to ({x}, {y}): name each cell of it.")
INVALID_CELL = Refusal(
    "INVALID_CELL", "The weapon flies {exactly} cells away: name a free cell at that distance ({distance} here)."
)
INVALID_RADIUS = Refusal("INVALID_RADIUS", "{radius} is no radius of a zone: name 0 to {most}.")

# Rests and meals.
NOBODY_RESTS = Refusal("NOBODY_RESTS", "Summons do not rest: name somebody who does.")
NO_SHORT_REST_LEFT = Refusal(
    "NO_SHORT_REST_LEFT", "The team has taken its {most} short rests: take a long rest first.", overridable=True
)
INSUFFICIENT_SATIETY = Refusal(
    "INSUFFICIENT_SATIETY", "A long rest takes {needed} of satiety and {character} has {owned}: eat first.", True
)
INSUFFICIENT_WATER = Refusal(
    "INSUFFICIENT_WATER", "A long rest takes {needed} litres of water and the team has {owned}: buy some.", True
)
ONE_BREAD_PER_MEAL = Refusal("ONE_BREAD_PER_MEAL", "A meal takes one bread at most: eat the other later.")

# Trade.
UNKNOWN_ITEM = Refusal("UNKNOWN_ITEM", "{item} is not for sale here; there are: {choices}.")
NOTHING_TO_EAT = Refusal("UNKNOWN_ITEM", "{item} is nothing to eat; there are: {choices}.")
INVALID_QUANTITY = Refusal("INVALID_QUANTITY", "{quantity} is no quantity: name at least 1 and at most {most}.")
INSUFFICIENT_FUNDS = Refusal("INSUFFICIENT_FUNDS", "{character} has {owned} MC and needs {needed}.")
NEGOTIATION_NOT_AVAILABLE = Refusal(
    "NEGOTIATION_NOT_AVAILABLE", "With {charisma} in Charisma nothing can be negotiated here.", overridable=True
)
NEGOTIATION_NOT_OPEN = Refusal("NEGOTIATION_NOT_OPEN", "This negotiation is not open: open one with the merchant.")
UNKNOWN_QUALITY = Refusal("UNKNOWN_QUALITY", "No merchant is of the quality {quality}: choose one of {choices}.")
NEGOTIATION_ALREADY_OPEN = Refusal(
    "NEGOTIATION_ALREADY_OPEN", "{character} has dealt with {merchant}: the game master closes that one first."
)
NEGOTIATION_IMPOSED = Refusal(
    "NEGOTIATION_IMPOSED", "With {charisma} in Charisma the merchant cannot refuse to talk.", overridable=True
)

# Levels.
MAX_LEVEL = Refusal("MAX_LEVEL", "{character} cannot rise above level {most}.")
NO_SPIN_OWED = Refusal("NO_SPIN_OWED", "{character} is owed no spin of the wheel: odd levels give one.")
NO_STAT_POINT_OWED = Refusal("NO_STAT_POINT_OWED", "{character} is owed no point: even levels give one.")
TWO_DISTINCT_STATS_REQUIRED = Refusal("TWO_DISTINCT_STATS_REQUIRED", "Name two different statistics.")
NO_PRIZE_AT_ALL = Refusal("NO_PRIZE_OWED", "{character} is owed no prize: a spin of the wheel brings one.")
NO_PRIZE_OWED = Refusal("NO_PRIZE_OWED", "{character} is not owed the prize {prize}; owed are: {prizes}.")
