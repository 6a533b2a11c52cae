// A native slider: index into the labels of the options.
function render({ model, el }) {
  const label = document.createElement("label");
  const name = document.createElement("span");
  const input = document.createElement("input");
  const output = document.createElement("output");
  label.className = "mha-slider";
  input.type = "range";
  input.min = 0;
  input.step = 1;
  input.setAttribute("data-lm-suppress-shortcuts", "true");
  output.setAttribute("aria-hidden", "true");
  label.append(name, input, output);
  el.append(label);

  function show() {
    const labels = model.get("_options_labels");
    const at = model.get("index") ?? 0;
    name.textContent = model.get("description");
    label.title = model.get("tooltip") ?? "";
    input.max = Math.max(labels.length - 1, 0);
    input.value = at;
    input.disabled = model.get("disabled") || labels.length < 2;
    input.setAttribute("aria-valuetext", labels[at] ?? "");
    output.textContent = labels[at] ?? "";
    output.style.minWidth = `${Math.max(...labels.map((one) => one.length), 1)}ch`;
  }
  const now = () => {
    model.set("index", Number(input.value));
    model.save_changes();
  };
  input.addEventListener("input", () => {
    if (model.get("continuous_update")) now();
  });
  input.addEventListener("change", now);
  input.addEventListener("keydown", (event) => event.stopPropagation());
  const names = ["index", "_options_labels", "description", "tooltip", "disabled"];
  names.forEach((one) => model.on(`change:${one}`, show));
  show();
  return () => names.forEach((one) => model.off(`change:${one}`, show));
}
export default { render };
