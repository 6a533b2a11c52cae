# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Weigh three values
#
# A placeholder until the first lesson stands here. It shows a weighted sum, the one
# operation that every later lesson is about.

# %% slideshow={"slide_type": "skip"}
import numpy as np

# %% [markdown] lang="en"
# Three values, one per row, and three weights that add up to one. Nothing is learned
# here: the weights are chosen by hand.

# %%
values = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
weights = np.array([0.5, 0.25, 0.25])
values.shape, weights.shape

# %% [markdown] lang="en"
# The weighted sum multiplies each row by its weight and adds the rows up. As a matrix
# product it is one line.

# %%
weights @ values  # (2,)

# %% [markdown] lang="en"
# Shifting the weight to the first row pulls the sum towards that row.

# %%
np.array([0.9, 0.05, 0.05]) @ values

# %% [markdown] lang="en"
# The weights add up to one, so the sum never leaves the box that the rows span.

# %%
bool((weights @ values <= values.max(axis=0)).all())
