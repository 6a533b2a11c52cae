# %% [markdown] lang="en"
# # Come back
#
# ## What comes next
#
# [Look twice](90_made_up.ipynb#Look-twice) again.

# %% [markdown] lang="zh"
# # 回来
#
# ## 接下来
#
# 再[看两遍](90_made_up.ipynb#Look-twice)。

# %%
1 + 1
