// Pointing at rows and heads of a picture, by mouse and by keys, in the page alone.
const SVG = "http://www.w3.org/2000/svg";
const LEAST = 0.005; // weights that print as 0.00 have no line

function drawn(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== undefined) made.textContent = text;
  return made;
}

// What a row looks at: [column, weight], the strongest first; hidden keys are null.
function looked(panel, row) {
  const weights = panel.weights[row].map((weight, column) => [column, weight]);
  const seen = weights.filter(([, weight]) => Math.abs(weight ?? 0) >= LEAST);
  return seen.sort((one, other) => other[1] - one[1]);
}

// The sentence of a row, as a screen reader hears it.
function told(geometry, panel, row, words) {
  const exact = geometry.exact;
  const key = ([column, weight]) =>
    exact ? `${geometry.keys[column]} ${weight.toFixed(exact)}` : geometry.keys[column];
  const keys = looked(panel, row).slice(0, exact ? 4 : 12).map(key).join(", ");
  const filled = words[keys ? "row" : "empty"].replace("{keys}", keys);
  return filled.replace("{query}", geometry.queries[row]);
}

// Lines from a query at the left to its keys at the far side, and their numbers there.
function lines(geometry, panel, row, size) {
  const [left, top, width, height] = panel.box;
  const across = width / geometry.keys.length;
  const up = height / geometry.queries.length;
  const middle = top + (row + 0.5) * up;
  const down = row < geometry.queries.length / 2;
  const end = down ? top + height - 2.6 * size : top + 2.8 * size;
  const most = Math.max(...geometry.limits.map(Math.abs));
  const parts = [];
  const taken = [];
  for (const [column, weight] of looked(panel, row)) {
    const x = left + (column + 0.5) * across;
    const share = Math.abs(weight) / most;
    const path = `M${left},${middle} Q${x},${middle} ${x},${end}`;
    const stroke = { "stroke-width": 1 + 9 * share, opacity: 0.4 + 0.6 * share };
    const style = panel.colour ? `stroke:${panel.colour}` : "";
    parts.push(drawn("path", { class: "mha-line", d: path, style, ...stroke }));
    const number = geometry.exact ? weight.toFixed(geometry.exact) : "";
    const name = geometry.keys[column];
    const room = 0.6 * size * Math.max(number.length, name.length);
    if (taken.some(([at, wide]) => Math.abs(at - x) < (wide + room) / 2)) continue;
    taken.push([x, room]);
    const first = down ? end + 1.1 * size : end - 1.5 * size;
    parts.push(drawn("text", { x, y: first }, name));
    parts.push(drawn("text", { x, y: first + 1.1 * size }, number));
  }
  const texts = parts.filter((part) => part.tagName === "text");
  return [...parts.filter((part) => part.tagName !== "text").reverse(), ...texts];
}

// All marks of a row: the other rows pale, its frame, its lines.
function row_marks(geometry, panel, row, size) {
  const [left, top, width, height] = panel.box;
  const up = height / geometry.queries.length;
  const rect = (name, y, high) =>
    drawn("rect", { class: name, x: left, y, width, height: Math.max(high, 0) });
  return [
    rect("mha-veil", top, row * up),
    rect("mha-veil", top + (row + 1) * up, height - (row + 1) * up),
    rect("mha-row", top + row * up, up),
    ...lines(geometry, panel, row, size),
  ];
}

function head_mark(panel) {
  const [x, y, width, height] = panel.box;
  const around = { x: x - 3, y: y - 3, width: width + 6, height: height + 6 };
  return drawn("rect", { class: "mha-head", ...around });
}

// The place at a point of the picture: a panel, and a row where it shows weights.
function place_at(geometry, x, y) {
  const number = geometry.panels.findIndex(({ box: [left, top, width, height] }) =>
    x >= left && x < left + width && y >= top && y < top + height);
  if (number < 0) return null;
  const panel = geometry.panels[number];
  const [, top, , height] = panel.box;
  const row = Math.floor(((y - top) / height) * geometry.queries.length);
  return { panel: number, row };
}

// The place after a key: up and down are rows of a map, left and right are heads.
function place_after(geometry, place, key) {
  const { panels, queries } = geometry;
  const now = place ?? { panel: 0, row: -1 };
  const within = (value, count) => Math.min(Math.max(value, 0), count - 1);
  const by = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (by) {
    const panel = panels[now.panel].weights ? now.panel : 0;
    return { panel, row: within(now.row + by, queries.length) };
  }
  const aside = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const first = geometry.enlarged ? 1 : 0;
  const shown = panels.findIndex((one, n) => n >= first && one.head === panels[0].head);
  const from = now.panel < first ? shown : now.panel;
  const count = panels.length - first;
  return { panel: first + within(from - first + aside, count), row: Math.max(now.row, 0) };
}
