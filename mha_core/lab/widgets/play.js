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
  function button(sign, press) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = sign;
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
  const back = button("\u23EA\uFE0E", by(-1));
  const play = button("\u25B6\uFE0E", toggle);
  const on = button("\u23E9\uFE0E", by(1));
  const named = (one, name) => one.setAttribute("aria-label", words[name] ?? name);
  function show() {
    play.textContent = timer ? "\u23F8\uFE0E" : "\u25B6\uFE0E";
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
