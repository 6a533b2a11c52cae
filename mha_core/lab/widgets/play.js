// Signs, drawn, as few fonts have these signs.
const SIGNS = {
  back: "M4 4h2.5v12H4z M17 4v12L7.5 10z",
  play: "M5 3v14l12-7z",
  pause: "M4 4h4v12H4z M12 4h4v12h-4z",
  on: "M3 4v12l9.5-6z M13.5 4H16v12h-2.5z",
};

// Buttons that move a slider as a hand does: through its own model.
async function render({ model, el }) {
  const id = model.get("slider").replace("IPY_MODEL_", "");
  const slider = await model.widget_manager.get_model(id);
  const words = model.get("words");
  const group = document.createElement("div");
  let timer = null;
  group.className = "mha-play";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", model.get("description"));
  group.title = model.get("tooltip");
  el.append(group);

  const last = () => slider.get("_options_labels").length - 1;
  function move(index) {
    slider.set("index", Math.min(Math.max(index, 0), last()));
    slider.save_changes();
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    show();
  }
  function step() {
    if (slider.get("index") >= last()) stop();
    else move(slider.get("index") + 1);
  }
  function toggle() {
    if (timer) return stop();
    if (slider.get("index") >= last()) move(0);
    timer = setInterval(step, model.get("interval"));
    show();
  }
  function button(press) {
    const made = document.createElement("button");
    made.type = "button";
    made.addEventListener("click", press);
    made.addEventListener("keydown", (event) => event.stopPropagation());
    made.setAttribute("data-lm-suppress-shortcuts", "true");
    group.append(made);
    return made;
  }
  const by = (steps) => () => {
    if (timer) stop();
    move(slider.get("index") + steps);
  };
  function named(one, name) {
    if (one.dataset.name === name) return;
    one.dataset.name = name;
    one.setAttribute("aria-label", words[name] ?? name);
    one.title = words[name] ?? name;
    one.innerHTML = `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${SIGNS[name]}"/></svg>`;
  }
  const back = button(by(-1));
  const play = button(toggle);
  const on = button(by(1));
  function show() {
    named(play, timer ? "pause" : "play");
    back.disabled = slider.get("index") <= 0;
    on.disabled = slider.get("index") >= last();
    play.disabled = last() < 1;
  }
  named(back, "back");
  named(on, "on");
  const names = ["change:index", "change:_options_labels"];
  names.forEach((one) => slider.on(one, show));
  show();
  return () => {
    stop();
    names.forEach((one) => slider.off(one, show));
  };
}
export default { render };
