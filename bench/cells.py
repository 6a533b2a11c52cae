"""What the bench of the sliders runs: our view, its floor, and plain `interact`."""

OURS = """\
from mha_core import lab
lab.explore_heads(d_model=64, h=8)"""
# The same widget, but both pictures are ready: what a machine needs at the least.
FLOOR = """\
import itertools

from mha_core import lab

floor = lab.explore_heads(d_model=64, h=8)
widget = floor._screen.widget
pictures = [widget.shown, floor.set(d_model=32) and widget.shown]
floor.set(d_model=64)
after = itertools.cycle(reversed(pictures))


def swap(change):
    widget.shown = next(after)


for control in floor.controls.values():
    control.unobserve(floor._follow, names="value")
    control.observe(swap, names="value")
floor._box.add_class("floor")
floor"""
# The same figure by pyplot: a large head with labels, small ones, a bar of colours.
# Small ones have labels too in a second round: that is what most programs draw.
PLAIN = """\
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import SelectionSlider, interact

from mha_core.lab.explorers.heads import WIDTHS, shipped
from mha_core.tasks.tagged_sentences import sentences

words, tags = sentences(np.random.default_rng(0), 1)
tokens = [f"{word}{tag}" for word, tag in zip("abcdefghijkl", tags[0])]


def draw(d_model, h):
    weights = shipped(d_model, h)[0].attend(words, tags)[1][0]
    figure = plt.figure(figsize=(9, 5.4), dpi=100)
    large = figure.add_axes((0.1, 0.15, 0.42, 0.7), title="head 0")
    image = large.imshow(weights[0], vmin=0, vmax=1, cmap="Blues")
    large.set_xticks(range(12), tokens, rotation=90)
    large.set_yticks(range(12), tokens)
    large.set(xlabel="word (key)", ylabel="word (query)")
    for n in range(h):
        place = 0.55 + n % 3 * 0.12, 0.65 - n // 3 * 0.25, 0.1, 0.17
        small = figure.add_axes(place, title=f"head {n}", xticks=[], yticks=[])
        small.imshow(weights[n], vmin=0, vmax=1, cmap="Blues")
        if "VIEW" == "every":
            small.set_xticks(range(12), tokens, rotation=90)
            small.set_yticks(range(12), tokens)
    bar = figure.colorbar(image, cax=figure.add_axes((0.92, 0.15, 0.02, 0.7)))
    bar.set_label("attention weight (0-1)")
    plt.show()


slider = SelectionSlider(options=WIDTHS, value=64)
heads = SelectionSlider(options=(1, 2, 4, 8), value=8)
interact(draw, d_model=slider, h=heads).widget.add_class("VIEW");"""
# Notes when a key went down, and the first frame of each new picture.
WATCH = """css => {
  const seen = window.seen = {key: 0, changes: []};
  let source = document.querySelector(css).src;
  document.addEventListener('keydown', e => { seen.key = e.timeStamp; }, true);
  const look = () => {
    const image = document.querySelector(css);
    if (window.seen !== seen) return;
    if (image && image.complete && image.naturalWidth && image.src !== source) {
      source = image.src;
      seen.changes.push(performance.now());
    }
    requestAnimationFrame(look);
  };
  look();
}"""
