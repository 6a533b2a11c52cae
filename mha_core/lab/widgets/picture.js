// A picture, its alternative text, the message, and what points at it.
function part(name, attributes) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  return made;
}

// The height that a page has for a picture beside what else the view shows.
function room_for(el, frame) {
  let pane = window.innerHeight; // or the outermost part of the page that scrolls
  for (let one = el.parentElement; one; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY))
      pane = Math.min(one.clientHeight, window.innerHeight);
  const view = el.closest(".mha-view") ?? el;
  return Math.round(pane - (view.offsetHeight - frame.offsetHeight) - 40);
}

async function build({ model, el }) {
  const message = part("p", { class: "mha-message", role: "status" });
  const frame = part("div", { class: "mha-frame" });
  const image = part("img", { class: "mha-picture" });
  const overlay = drawn("svg", { role: "application", "data-lm-suppress-shortcuts": "true" });
  const busy = part("span", { class: "mha-busy" });
  const pointed = part("p", { class: "mha-pointed", "aria-live": "polite" });
  message.setAttribute("aria-live", "polite");
  el.classList.add("mha-shown");
  frame.append(image, overlay, busy);
  const state = part("details", { class: "mha-state" });
  const line = part("code", { tabindex: "0" });
  state.append(part("summary", {}), line);
  state.firstChild.textContent = model.get("words").code;
  el.append(message, frame, state, pointed);

  const id = model.get("pointer").replace("IPY_MODEL_", "");
  const pointer = await model.widget_manager.get_model(id);
  let url = null;
  let place = null; // what is pointed at: a panel and a row
  let times = 0;

  function tell(name, value) {
    pointer.set(name, value);
    pointer.save_changes();
  }
  function show() {
    const { png, alt, message: text, geometry, large, code, least } = model.get("shown");
    const before = url;
    url = URL.createObjectURL(new Blob([png], { type: "image/png" }));
    image.src = url;
    if (before) URL.revokeObjectURL(before);
    image.alt = alt;
    image.width = geometry.width;
    image.height = geometry.height;
    image.style.minWidth = `${least}px`; // the frame is moved sideways then
    line.textContent = code;
    if (message.textContent !== text) message.textContent = text;
    el.classList.toggle("mha-large", large);
    enlarge(el.closest(".mha-view"), large);
    overlay.setAttribute("viewBox", `0 0 ${geometry.width} ${geometry.height}`);
    overlay.setAttribute("aria-label", model.get("words").keys);
    const maps = geometry.panels.length > 0;
    overlay.toggleAttribute("hidden", !maps);
    overlay.style.display = maps ? "" : "none";
    if (maps) overlay.setAttribute("tabindex", "0");
    point(place);
  }
  function point(to) {
    const { geometry, chooses, large } = model.get("shown");
    const panel = to && geometry.panels[to.panel];
    const row = panel && panel.weights && panel.weights[to.row];
    place = panel && (row || !panel.weights) ? to : null;
    overlay.style.cursor = place && choice() ? "pointer" : "default";
    if (!place) overlay.replaceChildren();
    else if (row) overlay.replaceChildren(...row_marks(geometry, panel, to.row, large ? 22 : 14));
    else overlay.replaceChildren(head_mark(panel));
    const words = model.get("words");
    const text = !place ? "" : row ? told(geometry, panel, to.row, words) : panel.title;
    if (pointed.textContent !== text) pointed.textContent = text;
  }
  // What a click at this place sets: a head that is not the large one, or a step.
  function choice() {
    const { geometry, chooses } = model.get("shown");
    const panel = geometry.panels[place.panel];
    if (!panel.weights || !chooses.includes("step"))
      return chooses.includes("head") && panel.head !== null
        ? { control: "head", value: panel.head }
        : null;
    return { control: "step", value: place.row };
  }
  function choose() {
    const chosen = place && choice();
    if (chosen) tell("chosen", { ...chosen, times: (times += 1) });
  }

  overlay.addEventListener("pointermove", (event) => {
    const box = overlay.getBoundingClientRect();
    const { geometry } = model.get("shown");
    const x = ((event.clientX - box.left) / box.width) * geometry.width;
    const y = ((event.clientY - box.top) / box.height) * geometry.height;
    const at = place_at(geometry, x, y);
    if (at?.panel !== place?.panel || at?.row !== place?.row) point(at);
  });
  overlay.addEventListener("pointerleave", () => point(null));
  overlay.addEventListener("click", choose);
  overlay.addEventListener("blur", () => point(null));
  overlay.addEventListener("keydown", (event) => {
    const { geometry } = model.get("shown");
    if (event.key.startsWith("Arrow")) point(place_after(geometry, place, event.key));
    else if (event.key === "Enter" || event.key === " ") choose();
    else if (event.key === "Escape") point(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  // A click or the focus marks the whole line, ready to be copied.
  line.addEventListener("focus", () => window.getSelection().selectAllChildren(line));

  let timer = null;
  function measure() {
    const width = Math.min(Math.floor(el.clientWidth), 1600);
    const screen = { width, height: room_for(el, frame), density: window.devicePixelRatio };
    const before = pointer.get("screen");
    const moved = Math.abs(screen.height - (before.height ?? 0)) > 60;
    if (width < 50) return;
    const view = el.closest(".mha-view") ?? el;
    explain(view, model.get("hints"));
    enlarge(view, model.get("shown").large);
    frame.tabIndex = frame.scrollWidth > frame.clientWidth ? 0 : -1;
    if (width !== before.width || moved || screen.density !== before.density)
      tell("screen", screen);
  }
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(measure, 150);
  };
  const sizes = new ResizeObserver(later);
  sizes.observe(el);
  window.addEventListener("resize", later);

  const wait = () => {
    busy.textContent = model.get("busy");
    frame.setAttribute("aria-busy", String(Boolean(model.get("busy"))));
  };
  model.on("change:shown", show);
  model.on("change:busy", wait);
  show();
  wait();
  return () => {
    model.off("change:shown", show);
    model.off("change:busy", wait);
    sizes.disconnect();
    window.removeEventListener("resize", later);
    clearTimeout(timer);
    URL.revokeObjectURL(url);
  };
}

async function render(context) {
  try {
    return await build(context);
  } catch (error) {
    const text = part("p", { role: "alert" });
    text.textContent = `The picture cannot be shown: ${error.message}`;
    context.el.append(text);
    throw error;
  }
}
export default { render };
