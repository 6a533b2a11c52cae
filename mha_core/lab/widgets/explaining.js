// Every control says what it does, to a mouse that rests on it and to a screen reader,
// and keeps its keys: JupyterLab takes those of lists and boxes for its shortcuts.
function explain(view, hints) {
  for (const [name, hint] of Object.entries(hints)) {
    const control = view.querySelector(`.mha-control-${name}`);
    const parts = control?.querySelectorAll("input, select, textarea, [title]") ?? [];
    for (const part of control ? [control, ...parts] : []) part.title = hint;
  }
  for (const field of view.querySelectorAll("input, select, textarea, button"))
    field.setAttribute("data-lm-suppress-shortcuts", "true");
}

// For a projector all of a view grows, its controls too.
function enlarge(view, large) {
  view?.classList.toggle("mha-large", large);
}
