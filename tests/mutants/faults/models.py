"""Faults in the models, their training, their data and their files."""

from ..fault import Fault

LIVE = "what a lesson trains live is shown with two decimals at most"

SHIPPED = [
    Fault(
        name="the checksum is not compared",
        file="shipped.py",
        old="if hashlib.sha256(content).hexdigest() != ",
        new="if hashlib.sha256(content).hexdigest() < ",
        unit="test_shipped",
        exempt="Lessons find every file as it was shipped.",
    ),
    Fault(
        name="the checksum is that of the command",
        file="shipped.py",
        old="digest = hashlib.sha256(content).hexdigest()",
        new="digest = hashlib.sha256(rebuild.encode()).hexdigest()",
        unit="test_shipped",
        exempt="Lessons ship nothing.",
    ),
]
MODELS = [
    Fault(
        name="keys are projected as queries",
        file="models/bahdanau.py",
        old='return states, states @ self.params["U_a"]',
        new='return states, states @ self.params["W_a"]',
        unit="test_models",
        lessons="02",
    ),
    Fault(
        name="Bahdanau's decoder looks at padding",
        file="models/bahdanau.py",
        old="context, weights = attend(scores, states, mask)",
        new="context, weights = attend(scores, states)",
        unit="test_models",
        lessons="02",
    ),
    Fault(
        name="keys are mixed in place of values",
        file="models/several_heads.py",
        old='split_heads.unchecked(states @ self.params["W_V"], self.h)',
        new='split_heads.unchecked(states @ self.params["W_K"], self.h)',
        unit="test_models",
        lessons="04",
    ),
    Fault(
        name="the decoder's heads have no W_O",
        file="models/several_heads.py",
        old='merge_heads.unchecked(heads) @ self.params["W_O"]',
        new="merge_heads.unchecked(heads)",
        unit="test_models",
        lessons="04",
    ),
]
SEQ2SEQ = [
    Fault(
        name="the backward state is taken where it began",
        file="models/seq2seq.py",
        old="states[:, 0, n:]",
        new="states[:, -1, n:]",
        unit="test_models",
        lessons="01",
    ),
    Fault(
        name="the backward states are not turned back",
        file="models/seq2seq.py",
        old="states[1][:, ::-1]",
        new="states[1]",
        unit="test_models",
        lessons="01",
    ),
    Fault(
        name="padding is read as a letter",
        file="models/seq2seq.py",
        old="mask = source > 0",
        new="mask = source >= 0",
        unit="test_models",
        lessons="02",
    ),
    Fault(
        name="words go on after their end",
        file="models/seq2seq.py",
        old="token = scores.argmax(axis=-1) * running",
        new="token = scores.argmax(axis=-1)",
        unit="test_models",
        exempt="Lessons show words up to their end.",
    ),
]
TRANSFORMER = [
    Fault(
        name="no positions",
        file="models/transformer.py",
        old="return vectors + positions(*vectors.shape[1:]).astype(vectors.dtype)",
        new="return vectors",
        unit="test_transformer",
        lessons="05",
    ),
    Fault(
        name="the encoder's last sum is not normalised",
        file="models/transformer.py",
        old="return normal, weights",
        new="return x, weights",
        unit="test_transformer",
        lessons="05",
    ),
    Fault(
        name="cross-attention looks at padding",
        file="models/transformer.py",
        old="decoder_block.unchecked(x, memory, block, self.h, mask)",
        new="decoder_block.unchecked(x, memory, block, self.h)",
        unit="test_transformer",
        exempt="In lessons the Transformer reads one word at a time.",
    ),
    Fault(
        name="both blocks of the decoder are the first",
        file="models/transformer.py",
        old='self._block(f"decoder {i}")',
        new='self._block("decoder 0")',
        unit="test_transformer",
        lessons="05",
    ),
]
PRONOUNCING = [
    Fault(
        name="weights are cut to the letters, not to the phonemes",
        file="pronouncing.py",
        old="weights[0, :, : len(phonemes)]",
        new="weights[0, :, : len(word)]",
        unit="test_pretrained",
        lessons="02",
    ),
    Fault(
        name="words held out are said to be seen",
        file="pronouncing.py",
        old='split == "train"',
        new='split != "train"',
        unit="test_pretrained",
        lessons="01",
    ),
]
PRETRAINED = [
    Fault(
        name="every layer has one head",
        file="pretrained.py",
        old="return FourRelations(params, int(h))",
        new="return FourRelations(params, 1)",
        unit="test_relations",
        lessons="04",
    ),
    Fault(
        name="one head is said to do what four do",
        file="pretrained.py",
        old="return json.loads(read_shipped(ONE_HEAD, Path(folder)))",
        new="found = json.loads(read_shipped(ERRORS, Path(folder)))\n"
        '    return {kind: seeds["0"] for kind, seeds in found.items()}',
        unit="test_blocks_view",
        lessons="05",
    ),
]
EVALUATION = [
    Fault(
        name="errors per phoneme of what was said",
        file="evaluation.py",
        old="return edits / sum(len(phonemes) for _, phonemes in pairs)",
        new="return edits / sum(map(len, said))",
        unit="test_evaluation",
        lessons="02",
    ),
    Fault(
        name="words come back sorted by length",
        file="evaluation.py",
        old="return [said[i] for i in range(len(words))]",
        new="return [said[i] for i in order]",
        unit="test_evaluation",
        lessons="02",
    ),
    Fault(
        name="a change counts twice",
        file="evaluation.py",
        old="change = table[-1][j - 1] + (left != right)",
        new="change = table[-1][j - 1] + 2 * (left != right)",
        unit="test_evaluation",
        lessons="01",
    ),
    Fault(
        name="misses run from the end of the word",
        file="evaluation.py",
        old="return table[-1][-1], missed[::-1]",
        new="return table[-1][-1], missed",
        unit="test_evaluation",
        exempt="The align of lesson 1 misses the middle phoneme; its bars are shipped.",
    ),
]
TRAINING = [
    Fault(
        name="every answer is taken for the next",
        file="losses.py",
        old="right = targets[..., None] == np.arange(V)",
        new="right = targets[..., None] == np.arange(V) - 1",
        unit="test_training",
        lessons="01",
    ),
    Fault(
        name="the mean is over padding too",
        file="losses.py",
        old="places = int(np.sum(counted))",
        new="places = counted.size",
        unit="test_training",
        exempt="Adam, with which lessons train, does not heed a gradient's size.",
    ),
    Fault(
        name="the largest score is not added again",
        file="_weights.py",
        old=" + shift[..., 0]",
        new="",
        unit="test_training",
        exempt="The scores of what lessons train live stay small.",
    ),
    Fault(
        name="the loss counts padding",
        file="training.py",
        old="counted = np.cumsum(target == 0, axis=1) <= 1",
        new="counted = np.ones(target.shape, bool)",
        unit="test_training",
        exempt="What a lesson trains live is of one length, without padding.",
    ),
    Fault(
        name="the loss does not count the end",
        file="training.py",
        old="counted = np.cumsum(target == 0, axis=1) <= 1",
        new="counted = target > 0",
        unit="test_training",
        lessons="01",
    ),
    Fault(
        name="the decoder is shown what it must say",
        file="training.py",
        old="np.pad(target, [(0, 0), (1, 0)])[:, :-1]",
        new="np.pad(target, [(0, 0), (0, 1)])[:, :-1]",
        unit="test_training",
        lessons="01",
    ),
    Fault(
        name="Adam without correction of its bias",
        file="training.py",
        old="return m / (1 - beta1**step) / (np.sqrt(v / (1 - beta2**step)) + epsilon)",
        new="return m / (np.sqrt(v) + epsilon)",
        unit="test_training",
        exempt=LIVE,
    ),
    Fault(
        name="every array is clipped for itself",
        file="training.py",
        old="norm = math.sqrt(sum(_squares(name, g) for name, g in grads.items()))",
        new="norm = math.sqrt(max(_squares(name, g) for name, g in grads.items()))",
        unit="test_training",
        exempt=LIVE,
    ),
]
TASKS = [
    Fault(
        name="the letter a is padding",
        file="tasks/words.py",
        old="[LETTERS.index(letter) + 1 for letter in word]",
        new="[LETTERS.index(letter) for letter in word]",
        unit="test_tasks",
        lessons="01",
    ),
    Fault(
        name="padding is written as a phoneme",
        file="tasks/sounds.py",
        old="row = row[: row.index(0) if 0 in row else None]",
        new="row = [i or most for i in row]",
        unit="test_tasks",
        lessons="01",
    ),
    Fault(
        name="the last batch is dropped",
        file="tasks/words.py",
        old="for i in range(0, len(some), size)]",
        new="for i in range(0, len(some) - size + 1, size)]",
        unit="test_tasks",
        exempt="Lessons train on batches of one length.",
    ),
]
DATES = [
    Fault(
        name="months count from 0",
        file="tasks/written_dates.py",
        old="names[day.month - 1]",
        new="names[day.month % 12]",
        unit="test_dates",
        lessons="02",
    ),
    Fault(
        name="the first character is padding",
        file="tasks/written_dates.py",
        old="[CHARACTERS.index(c) + 1 for c in text]",
        new="[CHARACTERS.index(c) for c in text]",
        unit="test_dates",
        lessons="02",
    ),
    Fault(
        name="training draws held-out days as well",
        file="tasks/written_dates.py",
        old="if is_held_out(day) == held_out:",
        new="if is_held_out(day) >= held_out:",
        unit="test_dates",
        exempt="Lessons draw held-out days only.",
    ),
]
RELATIONS = [
    Fault(
        name="a word may be its own partner",
        file="tasks/tagged_sentences.py",
        old="np.argmax(same & ~np.eye(T, dtype=bool), axis=-1)",
        new="np.argmax(same, axis=-1)",
        unit="test_relations",
        lessons="04",
    ),
    Fault(
        name="the layer does not see the order",
        file="models/four_relations.py",
        old='p["E_word"][words] + p["E_tag"][tags] + p["E_place"]',
        new='p["E_word"][words] + p["E_tag"][tags]',
        unit="test_relations",
        lessons="04",
    ),
    Fault(
        name="weights are looked up among the queries",
        file="models/four_relations.py",
        old="np.take_along_axis(weights, place, axis=-1).mean(axis=(0, 2))",
        new="np.take_along_axis(weights.swapaxes(-1, -2), place, axis=-1)"
        ".mean(axis=(0, 2))",
        unit="test_relations",
        exempt="Lessons read the masses that the recipe measured.",
    ),
]
FAULTS = [
    *SHIPPED,
    *MODELS,
    *SEQ2SEQ,
    *TRANSFORMER,
    *PRONOUNCING,
    *PRETRAINED,
    *EVALUATION,
    *TRAINING,
    *TASKS,
    *DATES,
    *RELATIONS,
]
