"""An exercise that is solved with the calculator: where scores outgrow the rest."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import Unfit, a_number, judged
from mha_core.lab.measure.sizes import attention_costs

LENGTHS = tuple(2**n for n in range(3, 15))  # what the slider offers
BASE = {"batch": 1, "h": 12, "d_model": 768}


def outgrown(T):
    """Tell whether stored scores take more than weights and activations together."""
    costs = attention_costs(T, **BASE)
    return costs["stored"] > costs["weights"] + costs["X, Q, K, V, output"]


@judged
def _fault_of_length(answer):
    T = a_number(answer)
    if T not in LENGTHS:
        raise Unfit(sentence("the slider has no length {T}", T=T))
    if not outgrown(T):
        return sentence("with {T} tokens the scores are still less than the rest", T=T)
    if outgrown(T // 2):
        return sentence("with {half} tokens it is so already", half=T // 2)
    return None


FIRST = next(T for T in LENGTHS if outgrown(T))
OUTGROWN = Exercise(
    name="outgrown",
    kind="search",
    right=_fault_of_length,
    mistakes=(
        (FIRST // 2, "still less than the rest"),
        (2 * FIRST, "it is so already"),
        (FIRST + 1, "the slider has no length"),
        ("long", "one whole number is expected"),
    ),
    hints=(
        sentence("set width and heads with the button of BERT; then move the length."),
        sentence("add the first two bars; compare the third with them."),
        sentence("the third bar grows fourfold where the second one doubles."),
    ),
    solution="""from mha_core.lab import attention_costs

def more(T):
    costs = attention_costs(T, 1, 12, 768)
    return costs["stored"] > costs["weights"] + costs["X, Q, K, V, output"]

answer = next(T for T in (2**n for n in range(3, 15)) if more(T))
""",
    praise=sentence("from here on it is the scores that fill the memory."),
)
