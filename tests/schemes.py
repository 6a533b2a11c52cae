"""What every schematic must keep to: on the page, legible, nothing over a text."""

from itertools import combinations

from matplotlib.text import Text


def texts(picture):
    """Return the texts that a picture shows."""
    found = picture.figure.findobj(Text)
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def faults(picture, over=3, least=12):
    """Return a sentence for each text that is cut, too small, or over another one."""
    found, figure = [], picture.figure
    scale = figure.dpi / 100
    width, height = (length / scale for length in figure.bbox.size)
    boxes = {text: text.get_window_extent().extents / scale for text in texts(picture)}
    for text, (x0, y0, x1, y1) in boxes.items():
        if min(x0, y0) < -1 or x1 > width + 1 or y1 > height + 1:
            found.append(f"{text.get_text()!r} leaves the page")
        if text.get_fontsize() < least:
            found.append(f"{text.get_text()!r} is {text.get_fontsize()} pt")
    for (one, a), (two, b) in combinations(boxes.items(), 2):
        across = min(a[2], b[2]) - max(a[0], b[0])
        up = min(a[3], b[3]) - max(a[1], b[1])
        if across > over and up > over:
            found.append(f"{one.get_text()!r} over {two.get_text()!r}")
    return found
