# %% [markdown] lang="en"
# # Demo: attention in ten minutes
#
# Every explorer of the lessons, one to a screen, large enough for a projector. Run all
# cells once (*Run*, *Run All Cells*); then each picture follows its controls and can be
# pointed at. The line below a title says what to ask the room before you move anything.
#
# This file is a part of a project. If the next cell fails with *No module named
# 'mha_core'*, get the whole project and run `make lab` in its folder.

# %% jupyter={"source_hidden": true}
from mha_core import lab

lab.projector()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## One message loses the middle of a long word
#
# A network reads *congratulating* letter by letter and passes on 84 numbers. **Ask:**
# which sounds will it get wrong? Then type a word of three letters.

# %% jupyter={"source_hidden": true}
lab.explore_bottleneck("congratulating")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Looking back at every letter mends it
#
# The same data and size, but the decoder looks at all letters. **Ask:** where does it
# look while it says *n* in *knight*? Then switch the learned weights off.

# %% jupyter={"source_hidden": true}
lab.explore_alignment("knight")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## One step, drawn
#
# What the decoder has when it writes one sound; lines are as thick as the weights.
# **Ask:** which letters become *f* in *phone*? Then play the steps, and switch
# attention off.

# %% jupyter={"source_hidden": true}
lab.explore_steps("phone")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## The weights carry the order
#
# A date is written as year, month and day. **Ask:** what shape will the map have for a
# date that begins with the day? Then type one that begins with the year.

# %% jupyter={"source_hidden": true}
lab.explore_dates("9 May 2018")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Scores are divided, or one key takes all
#
# Random queries and keys, nothing trained. **Ask:** what happens to the largest weight
# of a row when the division is switched off? Then hide some keys.

# %% jupyter={"source_hidden": true}
lab.explore_scaling(256)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## One head cannot look at four places
#
# Two layers trained to report four words at once, one head beside four. **Ask:** which
# head finds the partner, the other word with the same number? Then point at a row on
# both sides.

# %% jupyter={"source_hidden": true}
lab.beside(lab.explore_heads(64, 1), lab.explore_heads(64, 4), link="d_model")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## A small network has no head to spare
#
# Four heads share the work of pronouncing. **Ask:** without which one will it say
# *knight* wrongly? Then take out one head after the other, and watch the error.

# %% jupyter={"source_hidden": true}
lab.explore_knockout("knight")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## The right shape proves nothing
#
# Every one of these faults gives an output of the right shape. **Ask:** who should see
# whom under a causal mask? Then press *find the bug*: who sees whom now?

# %% jupyter={"source_hidden": true}
lab.explore_influence("none", True)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## A loss that is too good
#
# A small Transformer, trained for a short time with a bug that many have made. **Ask:**
# whose loss is better, the right one's or that of a mask one step late? Then look at its
# error in the line above.

# %% jupyter={"source_hidden": true}
lab.explore_bugs("mask one late")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## A Transformer attends in three places
#
# Letters to letters, sounds to earlier sounds, sounds to letters. **Ask:** in which of
# the three is half of the map hidden? Then type a word of your own.

# %% jupyter={"source_hidden": true}
lab.explore_blocks("knight")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## One sentence proves nothing
#
# A real network reads English. **Ask:** what was too tired, the animal or the street? Find
# the row of *it*. Then press *what is too wide*: has the head thought?

# %% jupyter={"source_hidden": true}
lab.explore_sentence()

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Half a Transformer invents words
#
# The decoder's blocks alone, trained to guess the next letter. **Ask:** which letter
# comes after *q*? Then begin a word of your own, and turn the temperature up.

# %% jupyter={"source_hidden": true}
lab.explore_writing("q")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## It sees what it wrote, and no more
#
# All heads of the letter model, on letters that you type. **Ask:** which half of every map
# must be empty, and why? Then type a word with repeats.

# %% jupyter={"source_hidden": true}
lab.explore_letters("banana")

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## Scores are what fills the memory
#
# Sizes that papers chose, and what one layer then keeps. **Ask:** what happens to each
# bar when the length doubles, and when the number of heads does? Then try both.

# %% jupyter={"source_hidden": true}
lab.explore_sizes(768, 12, 1024)

# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# ## It is fast on short sequences only
#
# A recurrent loop grows with the length, attention with its square. **Ask:** at which
# length do they cost the same? Then measure it on this machine.

# %% jupyter={"source_hidden": true}
lab.explore_timing()
