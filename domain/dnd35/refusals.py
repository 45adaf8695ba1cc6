"""Why a command of the 3.5 house rules is refused, under the codes of the rule catalogue."""

from domain.kernel.refusal import Refusal
from domain.kernel.system import Wording

PLAYERS_DO_NOT_ROLL = Refusal(
    "PlayersDoNotRoll", "Under these rules the game master owns every roll: send the command without faces.", status=403
)
TOO_FEW_FACES = Refusal(
    "WrongNumberOfFaces", "A {sides}-sided die is due ({purpose}): throw {real} and send the face in “dice”."
)
TOO_MANY_FACES = Refusal("WrongNumberOfFaces", "{given} faces were given and only {used} are thrown.")
FACE_OUT_OF_RANGE = Refusal("FaceOutOfRange", "A {sides}-sided die cannot show {face}.")
NOT_GAME_MASTER = Refusal("NotGameMaster", "Only the game master may do this.", status=403)
NOT_YOUR_CHARACTER = Refusal("NotYourCharacter", "{character} is not yours to play.", status=403)
UNKNOWN_CHARACTER = Refusal("UnknownCharacter", "There is no character with the id {character} at this table.")

WORDING = Wording(
    not_gm=NOT_GAME_MASTER,
    not_owner=NOT_YOUR_CHARACTER,
    unknown_character=UNKNOWN_CHARACTER,
    too_few_faces=TOO_FEW_FACES,
    too_many_faces=TOO_MANY_FACES,
    impossible_face=FACE_OUT_OF_RANGE,
    players_declare=PLAYERS_DO_NOT_ROLL,
)

NO_ACTION_LEFT = Refusal("NoActionLeft", "{character} has no such action left this round: {action}.", overridable=True)
ALREADY_MOVED = Refusal("AlreadyMoved", "{character} has already moved this round.", overridable=True)
NOT_ALIVE = Refusal("NotAlive", "{character} is dead.")
HIT_POINTS_ABOVE_MAXIMUM = Refusal("HitPointsAboveMaximum", "{hp} hit points are more than the maximum of {most}.")

UNKNOWN_FLASK = Refusal("UnknownFlask", "There is no flask {flask} at this table.")
FLASK_DESTROYED = Refusal("FlaskDestroyed", "This flask has been destroyed.")
FLASK_NOT_HELD = Refusal("FlaskNotHeld", "{character} does not hold this flask.", overridable=True)
FLASK_IN_OTHER_HANDS = Refusal("FlaskNotHeld", "{character} does not hold this flask: hand it over first.")
TOO_MANY_POTIONS = Refusal(
    "TooManyPotions", "{character} has {most} potions at work already: let some of them run out or end them."
)
FLASK_EMPTY = Refusal("FlaskEmpty", "This flask is empty.")
FLASK_TOO_SMALL = Refusal("FlaskTooSmall", "The flask holds {capacity} g and would have to hold {needed} g.")
SAME_FLASK = Refusal("SameFlask", "Name two different flasks.")
SAME_HOLDER = Refusal("SameHolder", "{character} already holds this flask.")
EMULSION_NOT_SETTLED = Refusal(
    "EmulsionNotSettled", "The top layer is part of an emulsion: drink it whole or wait until it settles."
)

UNKNOWN_POTION = Refusal("UnknownPotion", "There is no potion {potion}; there are: {potions}.")
POTION_NOT_DESCRIBED = Refusal("PotionNotDescribed", "Name a known potion, or say its {missing}.")
NOT_WHOLE_ROUNDS = Refusal("NotWholeRounds", "{rounds} rounds cannot be shared into {count} equal whole numbers.")
DURATION_NOT_DIVISIBLE = Refusal("DurationNotDivisible", "Only a potion of at least two rounds can be divided.")
EFFECT_NOT_WHOLE = Refusal("EffectNotWhole", "The effect cannot be shared into {count} equal whole numbers.")

GAME_MASTER_MIXES = Refusal(
    "GameMasterMixes", "What may come of this mixture is the game master's: ask for it to be carried out.", status=403
)
NOTHING_TO_MIX = Refusal("NothingToMix", "There is nothing to mix: a flask needs at least two layers.")
ALREADY_SHAKEN = Refusal("AlreadyShakenThisRound", "This flask has already been shaken this round.")
NOT_VIGOROUS = Refusal("NotVigorous", "Ordinary movement is never vigorous enough to mix potions.", overridable=True)

NOT_TOP_LAYER = Refusal("NotTopLayer", "Only the top layer can be drunk.")
OILS_ARE_NOT_DRUNK = Refusal("OilsAreNotDrunk", "An oil is applied, not drunk.")
MIXTURE_DRUNK_WHOLE = Refusal(
    "MixtureMustBeDrunkWhole",
    "The top layer is part of an emulsion: drink the mixture whole, or wait until it settles.",
)
NO_EMULSION_ON_TOP = Refusal("NoEmulsionOnTop", "There is no live emulsion on top of this flask.")

UNKNOWN_BLAST = Refusal("UnknownBlast", "There is no such explosion.")
ALREADY_CAUGHT = Refusal("AlreadyCaught", "{character} has already been caught in this explosion.")

NOT_POISONED = Refusal("NotPoisoned", "No poison waits in {character}.")
EFFECT_NOT_RUNNING = Refusal("EffectNotRunning", "No such potion is at work in {character}.")

NOT_MIXED = Refusal("NotMixed", "This flask holds no mixed potions of that kind.")
RANK_REQUIRED = Refusal("RankRequired", "{character} needs at least one rank in {skill}.", overridable=True)
NOT_CALM = Refusal("NotCalm", "This takes calm surroundings.", overridable=True)
HOUR_NOT_ELAPSED = Refusal("HourNotElapsed", "The study takes a whole hour: {rounds} rounds are left.")
NOT_DECLARED = Refusal("NotDeclared", "{character} has begun no such study, or broke it off.")
