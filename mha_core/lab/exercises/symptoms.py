"""Quizzes of symptoms: each choice is a classic bug, and one of them shows so."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.pictures.bugs_drawn import bug_weights

RIDDLE = sentence("A network that was trained with a bug: with which?")

TOO_GOOD = Exercise(
    name="too_good",
    kind="choice",
    right="mask one late",
    mistakes=(
        ("no scale", sentence("without it heads this narrow learn as they should")),
        ("no positions", sentence("without order the loss is higher, not lower")),
        ("split", sentence("that loss is higher than the right one, not near 0")),
        (
            "padding in the loss",
            sentence("that makes the loss look lower, but the error stays as it is"),
        ),
    ),
    hints=(
        sentence("a loss near 0 says that nothing has to be guessed."),
        sentence("at each place, what would have to be seen to know what comes?"),
        sentence("the next sound itself: how far does the causal mask reach?"),
    ),
    solution='answer = "mask one late"',
    praise=sentence("each place sees the sound that it should guess."),
)

FIRST_STEP = Exercise(
    name="first_step",
    kind="choice",
    right="empty rows",
    mistakes=(
        ("no scale", sentence("large scores make sharp weights, but they are numbers")),
        ("batch as heads", sentence("that hides other keys, never all of a row")),
        (
            "-1e9 in half precision",
            sentence("that stops in each batch, also where nothing is padding"),
        ),
        ("mask upside down", sentence("a guarded softmax gives such a row zeros")),
    ),
    hints=(
        sentence("which quotient is no number? 0 / 0."),
        sentence("a softmax divides by a sum: when is that sum 0?"),
        sentence("only batches with padding: what may a padded query see?"),
    ),
    solution='answer = "empty rows"',
    praise=sentence(
        "without a key nothing is divided by nothing, unless it is guarded."
    ),
)

ONE_SIZE = Exercise(
    name="one_size",
    kind="choice",
    right="batch as heads",
    mistakes=(
        ("split", sentence("a wrong reshape runs with a batch of any size")),
        ("merge", sentence("a wrong reshape runs with a batch of any size")),
        ("mask added", sentence("a bias is added to a batch of any size")),
        (
            "softmax over queries",
            sentence("the axis is wrong for a batch of any size"),
        ),
    ),
    hints=(
        sentence("which two sizes are equal by chance?"),
        sentence("a mask of shape (B, 1, T_k) beside scores (B, h, T_q, T_k)."),
        sentence("NumPy lines shapes up from the right: B stands below h."),
    ),
    solution='answer = "batch as heads"',
    praise=sentence("with as many samples as heads, a mask is read as one of heads."),
)

LOWER = Exercise(
    name="lower_loss",
    kind="choice",
    right="padding in the loss",
    mistakes=(
        ("mask one late", sentence("that lowers the loss, but then it cannot speak")),
        ("merge", sentence("that lowers the loss, but then it cannot speak")),
        ("scale by d_model", sentence("that leaves the loss about as it is")),
        ("no positions", sentence("without order both get worse")),
    ),
    hints=(
        sentence("nothing was learned better: what is the loss a mean of?"),
        sentence("some places are easier to guess than any sound."),
        sentence("behind the end of a short word there is always the same."),
    ),
    solution='answer = "padding in the loss"',
    praise=sentence("places that are guessed for nothing make the mean smaller."),
)

PADDED = Exercise(
    name="which_bug",
    kind="choice",
    right="mask upside down",
    mistakes=(
        ("none", sentence("without a bug nothing looks at the padding")),
        ("split", sentence("pieces of the word would still be looked at")),
        ("no positions", sentence("it would know no order, but look at letters")),
        ("batch as heads", sentence("one head at least has the mask of this word")),
    ),
    hints=(
        sentence("two columns have no letter."),
        sentence("where is all of the weight?"),
        sentence("what a mask should hide is all that is seen."),
    ),
    picture=lambda: bug_weights("mask upside down", title=RIDDLE),
    solution='answer = "mask upside down"',
    praise=sentence("all of the weight lies on the padding."),
)
