# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 8. Ask what heads learn
#
# The heads so far were small, and you could have trained each of them. What do heads do
# in a real network, which has read a large part of the web? Below is one of all-MiniLM, a
# network with 22.7 million numbers, on a sentence that asks for some thought. What was too
# tired, the animal or the street?
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import lab
from mha_core.models.sentence_reader import SentenceReader
from mha_core.post_norm import post_norm_block
from mha_core.pretrained import load_head_relations, load_reader
from mha_core.tasks import relation_sentences

# %% slideshow={"slide_type": "slide"}
sheet, reader = lab.Sheet(8), load_reader()
lab.explore_sentence()

# %% [markdown] lang="en"
# Look at the row of *it*: the darkest cell is *animal*. So the head knows what was tired?
# That is the conclusion which one is tempted to draw, and this lesson is about what would
# have to be shown first. Press *what is too wide*, and look at that row again.
#
# - **You will do:** read sentences with a pretrained network, count what each of its heads
#   gets right, and take heads out.
# - **You will learn:** how a claim on a head is tested, what heads of a real network can be
#   relied on for, and what a heat map does not prove.
# - **You need:** [lesson 6](06_the_transformer.ipynb), or at least its summary.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Open a real network
#
# What is inside? The parts that you know. A sentence becomes words, and each word a row
# of 384 numbers from a table, to which the row of its place is added, a learned one. Two
# signs frame the sentence, `[CLS]` and `[SEP]`. Then come six blocks of twelve heads.

# %%
seen = reader.read("The cat sat on the mat because it was tired.")
seen.tokens, seen.weights.shape  # (layers, h, T, T)

# %% [markdown] lang="en"
# Four of the six layers are shipped here, with 1,500 of its 30,522 words and each number
# in 8 bits, so that the file has six megabytes and not ninety. A word outside of the list
# is named, not guessed. The block differs from ours in two ways: it normalises *after*
# each sum, as the paper of 2017 did, and its kink is smooth.

# %%
lab.show_source(post_norm_block)

# %% [markdown] lang="en"
# And a sentence is read by four of these, one after the other. What each head sees is
# kept on the way; of the last layer only that is computed, since nothing comes after it.

# %%
lab.show_source(SentenceReader.read)

# %% [markdown] lang="en"
# It is the same `multi_head_attention` as in all lessons that reads here. How the network
# was trained: a large one, BERT, learned to fill in hidden words; this small one learned
# to give the same attention, and then to place sentences of like meaning near one another
# (Wang and others, 2020; Reimers and Gurevych, 2019). Nobody told a head what to do.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Look at fixed places first
#
# What would a sceptic say to a fine map? That the head looks one word back, always, and
# that this time it happened to fit. So the first question is how much each head puts on a
# fixed place, over hundreds of sentences. **Predict, then run.** How much of its weight
# does the best of 48 heads put on the word before?

# %%
table = load_head_relations()
places = {name: np.array(weights) for name, weights in table["places"].items()}
sheet.predict("previous", ...)
sheet.predict("previous", true=places["previous"].max())

# %%
{
    name: (divmod(int(weights.argmax()), 12), round(float(weights.max()), 2))
    for name, weights in places.items()
}

# %% [markdown] lang="en"
# Each pair is layer and head. One head looks at the word before and at nothing else, and
# one mostly at the word after: positional heads, as in lesson 6. Others put most of their
# weight on `[CLS]`, where no word stands. On average over all heads it is
# {{ places["[CLS]"].mean():.2f }}: weight has to go somewhere, since each row sums to 1,
# and a head that has found nothing leaves it there. Such a place is called an
# **attention sink**.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Give every claim two candidates
#
# Now the claims that people make. "This head finds what a pronoun means." To test it, each
# sentence gets a right word and a wrong one, and comes in both orders, so that *the nearer
# one* or *the first one* is right in half of the cases. The head is right where the right
# word gets more weight. Chance is 0.5.

# %%
pairs = relation_sentences.cases("gender")
[(case.sentence, case.right) for case in pairs[:4]], len(pairs)

# %%
{name: row["cases"] for name, row in table["relations"].items()}

# %% [markdown] lang="en"
# Eight relations: the same word again; *he* and *she*; *it* and *they*; an adjective and
# its noun across a word; a noun and its verb; a verb and its subject, with a phrase
# between; words of one field, such as *doctor* and *nurse*; and, last, sentences like the
# first one, in which only knowledge of the world decides. Here is every head by every
# relation.

# %% slideshow={"slide_type": "slide"}
lab.relation_map()

# %% [markdown] lang="en"
# Most cells are near 0.5, as chance would have it. With 48 heads some will be above it by
# luck, above all where there are few sentences. So take the best head of each relation,
# and hold it against three others: the mean head, the best fixed distance, and the same
# head in the same network with its places shuffled.

# %% slideshow={"slide_type": "slide"}
lab.relation_bars()

# %% [markdown] lang="en"
# *He* and *she*, *it* and *they*, nouns and adjectives: single heads are right nearly
# always, far beyond any fixed distance. The shuffled bars tell two kinds apart. Where they
# stay high, the words alone decide, in whatever order: *she* goes with *queen*. Where they
# fall, the head needs to know what stands where, as for an adjective and its noun.

# %% [markdown] lang="en"
# And the last group? **Predict, then run.** How often is the head of the first picture,
# layer 3, head 1, right about what was too tired and what too wide?

# %%
world = np.array(table["relations"]["world"]["share"])
sheet.predict("world", ...)
sheet.predict("world", true=world[3, 1])

# %%
coins = np.random.default_rng(0).binomial(16, 0.5, (10_000, 48)) / 16
lucky = (coins.max(axis=1) >= world.max()).mean()
[round(float(share), 2) for share in (world[3, 1], world.max(), lucky)]

# %% [markdown] lang="en"
# So the map that you saw first was luck, or little more. The head does find things that
# *it* can stand for, and hardly weighs what would make sense. The best of all reaches
# {{ world.max():.2f }}, but 48 coins would as well: in {{ 100 * lucky:.0f }} of 100 tries the
# best of them is as good on 16 sentences. Agreement can be seen in single heads here, and
# thought cannot. Try your own sentences, each with its control.

# %% slideshow={"slide_type": "slide"}
view = lab.explore_sentence("The king thanked the queen because she was kind.", 1, 3)
view

# %%
view.set(text="The king thanked the queen because he was kind.")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Take it out
#
# A head that looks at the right word: does anything depend on it? Looking is not using.
# Head 1 of layer 3 tells *it* from *they*. Which of the heads before it does it need? One
# head after the other is taken out, and the watched one is asked again.

# %% slideshow={"slide_type": "slide"}
lab.missing_bars()

# %% [markdown] lang="en"
# The bars are sorted, the worst loss first, and it hardly notices any: what it needs comes
# to it by several ways, or is in the words from the start. So the map of an earlier head
# that looks like the explanation need not be one.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Prune
#
# How many heads can go? **Pruning** means to take out for good what is missed least. Below,
# heads are taken out in three orders: those first whose loss changes least, those that
# change most, and at random. What is left is measured as the cosine between the states
# with and without.

# %% slideshow={"slide_type": "slide"}
lab.pruning_curves()

# %% [markdown] lang="en"
# A third of the heads can go with hardly a change, if they are the right ones. And even
# with none left the states are not far off, because each word is carried past all heads
# by the residual connections. So a high cosine is a weak proof. Whether the network still
# does its task was not measured here; where Michel and others did, 40 of 100 heads of BERT
# could go with little loss.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Know what a heat map does not prove
#
# - *That a head looks does not say that it is used.* Take it out and measure.
# - *That it looks at a word does not say that this word is what it takes.* From layer 1
#   on, each state holds its neighbours as well (lessons 2 and 5).
# - *One sentence proves nothing.* Give it its control, and count.
# - *The best of many heads is good by chance.* Compare with the best that chance gives.
# - *Other weights can give the same output.* Jain and Wallace, 2019, found such weights;
#   Wiegreffe and Pinter, 2019, say when that is an objection and when it is not.

# %% [markdown] lang="en"
# ## Exercises
#
# Write your answer in place of the `...` and run the cell; `sheet.hint("chosen")` in a
# cell of your own gives one more hint each time.
#
# First read a picture: two heads and the mean of all, on the sentence with the king and
# the queen. Which of `"a"`, `"b"` and `"c"` sends *she* to the queen?
#
# <details><summary>Solution</summary><code>"b"</code>: the row of <em>she</em> is darkest
# at <em>queen</em>.</details>

# %%
sheet.show("read_map")

# %%
sheet.check("read_map", ...)

# %% [markdown] lang="en"
# How often is a head right? `weights` has a row of weights for each case, `(cases, T)`;
# `right` and `wrong` are the columns of the two candidates, one for each case. Give back
# the share of the cases in which the right one weighs more.
#
# <details><summary>Solution</summary>
#
# ```python
# def chosen(weights, right, wrong):
#     cases = np.arange(len(weights))
#     return np.mean(weights[cases, right] > weights[cases, wrong])
# ```
#
# </details>


# %%
def chosen(weights, right, wrong):
    return ...


sheet.check("chosen", chosen)

# %% [markdown] lang="en"
# And a rule without any network: it always points `offset` places on from the query. Give
# back its share: 1 where `right` stands there, 0 where `wrong` does, half where neither.
#
# <details><summary>Solution</summary>
#
# ```python
# def by_offset(query, right, wrong, offset):
#     there = query + offset
#     return np.mean(0.5 + 0.5 * (right == there) - 0.5 * (wrong == there))
# ```
#
# </details>


# %%
def by_offset(query, right, wrong, offset):
    return ...


sheet.check("offset", by_offset)

# %% [markdown] lang="en"
# The sink: `weights` of one layer, `(h, T, T)`. Give back, for each head, the mean weight
# on `[CLS]`, without the rows of `[CLS]` and `[SEP]` themselves.
#
# <details><summary>Solution</summary>
#
# ```python
# def sink(weights):
#     return weights[:, 1:-1, 0].mean(axis=-1)
# ```
#
# </details>


# %%
def sink(weights):
    return ...


sheet.check("sink", sink)

# %% [markdown] lang="en"
# With the view above, find a sentence of your own that layer 1, head 3 reads rightly: with
# two persons, one that *he* can mean and one that *she* can, such as *king* and *queen* or
# *uncle* and *aunt*, and later *he* or *she*. It is read with both.
#
# <details><summary>Solution</summary>
# <code>"The king thanked the queen because she was kind."</code></details>

# %%
sheet.check("who", ...)

# %% [markdown] lang="en"
# Take a head out: `W_O` is `(h * d_k, d_model)`. Give back a matrix with zeros in the rows
# of one head, and leave the one that you got as it is.
#
# <details><summary>Solution</summary>
#
# ```python
# def take_out(W_O, h, head):
#     d_k = len(W_O) // h
#     left = W_O.copy()
#     left[head * d_k : (head + 1) * d_k] = 0
#     return left
# ```
#
# </details>


# %%
def take_out(W_O, h, head):
    return ...


sheet.check("take_out", take_out)

# %% [markdown] lang="en"
# Michel's measure of what a head is worth needs no knock-out. Put a gate of 1 in front of
# each head; how fast would the loss change with it? `heads` and `gradient`, both
# `(examples, h, T, d_k)`, are what the heads hand on and the gradient of the loss by it.
# Give back the mean size of the gates' gradients, `(h,)`.
#
# <details><summary>Solution</summary>
#
# ```python
# def importance(heads, gradient):
#     gate = np.sum(heads * gradient, axis=(-2, -1))
#     return np.abs(gate).mean(axis=0)
# ```
#
# </details>


# %%
def importance(heads, gradient):
    return ...


sheet.check("importance", importance)

# %% [markdown] lang="en"
# A large weight on a value near zero hands on nearly nothing. Give back, for each query and
# key, the weight times the length of the value: `weights` `(T_q, T_k)`, `value`
# `(T_k, d_v)` (Kobayashi and others, 2020).
#
# <details><summary>Solution</summary>
#
# ```python
# def norms(weights, value):
#     return weights * np.linalg.norm(value, axis=-1)
# ```
#
# </details>


# %%
def norms(weights, value):
    return ...


sheet.check("norms", norms)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - A claim on a head needs sentences with two candidates in both orders, many of them, and
#   what a fixed distance, a mean head and luck would give.
# - In this network single heads follow neighbours, agreement and the parts of a phrase, and
#   park what is left on `[CLS]`; knowledge of the world is in no single head.
# - A map shows where a head looks. What depends on it is found by taking it out.
#
# ## Further reading
#
# - W. Wang and others: *MiniLM: Deep Self-Attention Distillation*, 2020.
# - N. Reimers, I. Gurevych: *Sentence-BERT*, 2019.
# - K. Clark and others: *What Does BERT Look At?*, 2019. Heads by relation, and the sinks.
# - P. Michel, O. Levy, G. Neubig: *Are Sixteen Heads Really Better than One?*, 2019.
# - S. Jain, B. Wallace: *Attention is not Explanation*, 2019; S. Wiegreffe, Y. Pinter:
#   *Attention is not not Explanation*, 2019.
#
# ## Next
#
# You can now write attention, train it, and question it. What is left are the choices that
# one makes in practice: how many heads, which faults, which library says what.
