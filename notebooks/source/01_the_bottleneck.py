# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Lesson 1. Pass on only the last states
#
# How much of a word survives if a network reads it once and keeps a fixed handful of
# numbers? A recorder listens to reports all day and may pass one sentence to the night
# shift. After a quiet day that works. After a long one, something is lost.
#
# - **You will do:** read a word letter by letter with a trained network, let it
#   pronounce words that you type, and train two small networks yourself.
# - **You will learn:** what the sequence-to-sequence bottleneck is, how errors grow with
#   the length of a word, and which part of a word is lost.
# - **You need:** NumPy arrays, the matrix product, and an idea of what a gradient is.
#
# Run the cells from top to bottom: `Shift`+`Enter` runs one, *Run All Cells* in the
# *Run* menu runs all.
#
# On Binder, your session ends after about ten minutes without use, and what you changed
# is deleted with it. Download your notebooks before (*File*, *Download*). To go on, open
# a new session and drag them into its list of files, or install the lessons on your
# machine: the README says how.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% slideshow={"slide_type": "skip"}
import numpy as np

from mha_core import gru_cell, lab
from mha_core.evaluation import align, phoneme_error, transcribe
from mha_core.models import LastState
from mha_core.pretrained import load, load_errors, pronounce
from mha_core.tasks import pronunciation, spell, to_ipa

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Turn words into numbers
#
# The data is the CMU Pronouncing Dictionary: English words and how they sound. Stress is
# removed. The training part holds about 100,000 words; hardly any test word is an
# inflected relative of one of them.

# %%
words = dict(pronunciation("train"))
len(words), words["knight"]

# %% [markdown] lang="en"
# Those names of sounds are ARPAbet. You will read the signs of the phonetic alphabet
# (IPA) instead, which dictionaries use. Six letters, three sounds: *k*, *g* and *h* are
# silent.

# %%
to_ipa(words["knight"])

# %% [markdown] lang="en"
# A network reads numbers. Each letter becomes its place in the alphabet, from 1 to 26;
# 0 is kept for padding. One row is one word.

# %%
source = spell(["knight"])
source  # (1, 6)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Read one letter at a time
#
# The part that reads is the encoder: a recurrent network with gated units (GRU). At each
# letter it keeps a share $z$ of its state and renews the rest; $r$ says how much of the
# old state the new part sees. This is the code that was trained. `@checked` names the
# shapes.

# %%
lab.show_source(gru_cell)

# %% [markdown] lang="en"
# Load the trained network and let it read. It reads in both directions, 42 numbers for
# each, so every letter gets a state of 84 numbers: what was read up to there from the
# left, and from the right.

# %%
model = load("last_state")
states = model.encode(source, source > 0)
states.shape

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# **Predict, then run.** The decoder, which writes the sounds, is given only the state
# that each direction *ends* with, side by side. How many numbers is that for *knight*?
# And for *internationalization*, with its 20 letters? Write both down.

# %%
long_source = spell(["internationalization"])
long_states = model.encode(long_source, long_source > 0)
model.last_states(states).shape, model.last_states(long_states).shape

# %% [markdown] lang="en"
# The message has 84 numbers for any word. That is the bottleneck. The decoder gets it at
# every step, which is generous: Sutskever's network got it once. Whatever the decoder's
# state, `look` returns the same `last`, and weights for no letter at all.

# %%
lab.show_source(LastState.look)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Let it pronounce
#
# For short words the message is enough. The output also tells you whether the word was
# in training, and what the dictionary has if that differs.

# %%
[pronounce(model, word) for word in ("knight", "phone", "thought", "congratulating")]

# %% [markdown] lang="en"
# Now type a word of your own and press `Enter`. Each bar is the probability that the
# network gives to the sound it writes: near 1 it is sure, lower down it guesses. Where
# you read this without a running kernel, you see the stored picture. For a projector, tick
# `projector`: text and lines grow.

# %% slideshow={"slide_type": "slide"}
lab.explore_bottleneck("knight")

# %% [markdown] lang="en"
# Take a long word. The first sound and the last five match the dictionary; in between,
# four differ and one is missing. One word proves little, so next you count.

# %%
view = lab.explore_bottleneck()
view.set(word="congratulating")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Count the errors
#
# The phoneme error is the number of edits that turn the network's sounds (phonemes) into
# the dictionary's, divided by the number of sounds in the dictionary. Here one sound is
# changed and one is too many: two edits, and the second of three sounds is missed.

# %%
align(reference=["k", "æ", "t"], said=["k", "ɑ", "t", "s"])

# %% [markdown] lang="en"
# On all 11,855 held-out words the network makes 0.173 edits for each sound. It has about
# 86,000 parameters, the numbers that training sets. The recipe that trained it measured
# this.

# %%
measured = load_errors()["last_state"]["0"]
measured["error"], measured["parameters"]

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# **Predict, then run.** At 4 and 5 letters the error is 0.10. What is it at 14 and 15
# letters? Write a number down. The cell asks the network itself, on every held-out word
# of that length.

# %%
long = [pair for pair in pronunciation("test") if len(pair[0]) in (14, 15)]
said = transcribe(model, [word for word, _ in long])
len(long), round(phoneme_error(said, long), 3)

# %% [markdown] lang="en"
# More than three times as much. The curve shows all lengths; the thin band around it
# spans three networks that differ only in the seed of their training. Below each length
# stands the number of words behind it.

# %% slideshow={"slide_type": "slide"}
lab.error_curves("last_state")

# %% [markdown] lang="en"
# Two cautions. Only one pronunciation counts as right, although a word may have several.
# And the shortest words do badly for another reason: some are abbreviations that are
# spelt out or read as whole words.

# %%
short = [(w, to_ipa(p)) for w, p in pronunciation("test") if len(p) > 2 * len(w)]
short[:3]

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Find what is lost
#
# **Predict, then run.** Take the words of 12 letters and more, and cut each into five
# equal parts. In which fifth does the network miss the most sounds: the first, the middle
# or the last? What share of them?

# %%
lab.missed_bars("last_state")

# %% [markdown] lang="en"
# The middle is lost most: about 0.4 of its sounds are missed, against 0.15 in the first
# fifth. That is not what "the network forgets the beginning" would predict. This encoder
# reads both ways, so both ends of a word sit right next to the message.

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Look for the reason
#
# If a letter is nudged a little, how far does a number move that the network computes
# from it? The gradient measures that. It differentiates the code of the network as it
# stands.

# %%
lab.show_source(lab.gradient_reach)

# %% [markdown] lang="en"
# Take held-out words of 15 letters and measure both halves of the message, all 42 numbers
# of each: the state of the forward direction, which ends at letter 15, and of the backward
# direction, which ends at letter 1.

# %%
fifteen = [word for word, _ in pronunciation("test") if len(word) == 15]
forward, backward = lab.encoder_reach(model, fifteen[:60])
forward.shape

# %% [markdown] lang="en"
# Each half is moved most by its own end, and less with distance. Their sum falls, with
# two small bumps, up to letter 13 and rises a little at the end. That fits the errors only in part, and it does
# not prove their cause.

# %% slideshow={"slide_type": "slide"}
reach = {"forward": forward, "backward": backward, "both": forward + backward}
lab.lines(range(1, 16), reach, x_name="letter", y_name="gradient of the message")

# %% [markdown] lang="en" slideshow={"slide_type": "subslide"}
# ## Do all recurrent networks fade?
#
# No. Take an untrained network with tanh and multiply its recurrent weights by a gain.
# The gradient from the last state back to earlier steps vanishes, holds or explodes. Note
# the log scale: a constant factor per step is a straight line.

# %%
steps = np.arange(0, 31, 3)
gains = {
    f"tanh, gain {g}": lab.untrained_reach("rnn", gain=g)[steps] for g in (0.8, 1.5, 2)
}
lab.lines(steps, gains, x_name="steps back", y_name="gradient, relative", log=True)

# %% [markdown] lang="en"
# An untrained GRU fades too. With a bias of 2 on the gate that keeps the state, it reaches
# further. So a gate alone does not cure forgetting: it has to start out keeping, or learn
# to.

# %%
gates = {
    f"GRU, keep {k}": lab.untrained_reach("gru", keep=k)[steps] for k in (0.0, 2.0)
}
lab.lines(steps, gates, x_name="steps back", y_name="gradient, relative", log=True)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Train two yourself
#
# Is it the size, the data, or the message? Train two small networks on the same words
# for 400 steps each; it takes about ten seconds, and the bars show how far it is. One passes on its last states. Its
# twin, the subject of lesson 2, may look at every state.

# %%
twins = {kind: lab.train_small(kind) for kind in ("last_state", "bahdanau")}
{kind: sum(p.size for p in twin.params.values()) for kind, twin in twins.items()}

# %% [markdown] lang="en"
# Both make more errors than the shipped networks, which were trained for 8,000 steps.
# But the shapes are those of the large ones: the error of the first twin climbs steeply
# with length, that of the second a little.

# %% slideshow={"slide_type": "slide"}
errors = lab.small_errors(twins)
lab.small_curves(errors)

# %% [markdown] lang="en"
# A live training differs a little from machine to machine, so two checks stand in for its
# numbers. At 13 to 15 letters the first twin makes more than 0.4 edits for each sound,
# and more than 1.6 times as many as the second.

# %%
last, attention = (errors[kind][-3:].mean() for kind in ("last_state", "bahdanau"))
bool(last > 0.4), bool(last > 1.6 * attention)

# %% [markdown] lang="en"
# Here are the large ones, the network without attention beside its twin. They share one
# word: type another one in either. Left, how sure it is of each sound it writes; right,
# which letters each sound looks at.

# %%
plain, twin = lab.explore_bottleneck("congratulating"), lab.explore_alignment()
lab.beside(plain, twin, link=("word",))

# %% [markdown] lang="en"
# ## Exercises
#
# Replace the `...` and run the cell; the reply says what is wrong, and
# `sheet.hint("passed_on")` gives one more hint each time. First:
# how many numbers does the decoder get about a word of 15 letters? Give one number.
#
# <details><summary>Solution</summary><code>2 * 42</code>: two directions of 42
# numbers each, whatever the length of the word.</details>

# %%
sheet = lab.Sheet(1)
sheet.check("passed_on", ...)

# %% [markdown] lang="en"
# Write the message yourself. `states` has the shape `(T, 2 * n)`: the forward half
# first. Return the state that each direction ends with, as one array of `2 * n` numbers.
#
# <details><summary>Hint</summary>The backward direction ends at the first letter.
# </details>
#
# <details><summary>Solution</summary>
#
# ```python
# def last_states(states):
#     n = states.shape[-1] // 2
#     return np.concatenate([states[-1, :n], states[0, n:]])
# ```
#
# </details>


# %%
def last_states(states):
    return ...


sheet.check("last_states", last_states)

# %% [markdown] lang="en"
# The dictionary has *b ɪ l d* for *build*, and a network says *b aɪ l d ə*. What is its
# phoneme error on this word, as a fraction?
#
# <details><summary>Hint</summary>One sound is changed, one is too many; the dictionary
# has four.</details>
#
# <details><summary>Solution</summary><code>2 / 4</code> =
# <code>0.5</code></details>

# %%
sheet.check("phoneme_error", ...)

# %% [markdown] lang="en"
# Suppose each step backwards multiplies the gradient by 0.8. What share of it is left
# at the first of 15 letters, seen from the last? Two digits will do.
#
# <details><summary>Hint</summary>How many steps lie between them?</details>
#
# <details><summary>Solution</summary><code>0.8 ** 14</code>, about
# <code>0.044</code></details>

# %%
sheet.check("fading", ...)

# %% [markdown] lang="en"
# How far have you come? Run this cell again after each exercise; it lists what is still
# open and counts what you have solved.

# %%
sheet.progress()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Summary
#
# - An encoder that passes on only its last states sends as many numbers for a long word
#   as for a short one: here 84.
# - Errors climb with length, from 0.10 at 4 and 5 letters to 0.34 at 14 and 15.
# - The middle of a word is lost most. It is far from both ends, and the gradient fits that
#   in part.
#
# ## Further reading
#
# - Carnegie Mellon University: *The CMU Pronouncing Dictionary*. The words.
# - I. Sutskever, O. Vinyals, Q. Le: *Sequence to Sequence Learning with Neural Networks*,
#   2014. The encoder-decoder whose message is one state.
# - K. Cho and others: *Learning Phrase Representations using RNN Encoder-Decoder*, 2014.
#   The gated unit of this lesson.
# - K. Cho and others: *On the Properties of Neural Machine Translation*, 2014. Quality
#   falls with the length of the sentence.
# - R. Pascanu, T. Mikolov, Y. Bengio: *On the Difficulty of Training Recurrent Neural
#   Networks*, 2013. When gradients vanish and when they explode.
#
# ## Next
#
# In [lesson 2](02_bahdanau_attention.ipynb) the decoder may look back at every state, and
# you watch where it looks.
