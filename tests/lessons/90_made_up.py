# %% [markdown] lang="en" slideshow={"slide_type": "slide"}
# # Look twice
#
# One view, one picture, one exercise; the [guide](91_other.ipynb#What-comes-next) is
# another lesson.

# %% [markdown] lang="zh" slideshow={"slide_type": "slide"}
# # 看两遍
#
# 一个视图、一张图和一道练习；[指南](91_other.ipynb#What-comes-next)是另一课。

# %%
import numpy as np

from mha_core import lab

# %% lang="zh"
lab.language("zh")

# %% [markdown] lang="en"
# Slide $d_k$ to 256: `view.set` moves the view.

# %% [markdown] lang="zh"
# 把 $d_k$ 滑到 256：`view.set` 会移动视图。

# %%
view = lab.explore_scaling()
view.set(d_k=256, scaled=False, length=9)

# %% [markdown] lang="en"
# A row adds up to {{ np.array([0.25, 0.75]).sum():.1f }}.

# %% [markdown] lang="zh"
# 一行的和是 {{ np.array([0.25, 0.75]).sum():.1f }}。

# %%
weights = [[0.25, 0.75], [0.5, 0.5]]
lab.heatmap(weights, ["a", "b"], ["c", "d"], title="1 + 1")

# %% [markdown] lang="en"
# This passage is not translated.

# %%
sheet = lab.Sheet(3)
sheet.check("spread", 100)

# %%
sheet.check("spread", 10)

# %%
sheet.check("role", ...)

# %%
sheet.progress()
