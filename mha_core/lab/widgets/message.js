// A message that is read aloud when it changes: one region that lasts.
function render({ model, el }) {
  const region = document.createElement("p");
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  el.append(region);
  const show = () => {
    region.textContent = model.get("value");
  };
  model.on("change:value", show);
  show();
  return () => model.off("change:value", show);
}
export default { render };
