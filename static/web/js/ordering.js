/* Lists that are put in order: by buttons, by arrow keys, by dragging. Where the items stand at first
   is chance, and no answer until somebody moves one or says so.

   The answer stands in hidden controls, as docs/howto/add-question-type.md tells; the choices of places
   that work without scripts are kept alike, out of sight. While an item moves it is always the
   others that are put elsewhere in the page: so it keeps focus, and the pointer keeps it. */

const STEPS = { ArrowUp: -1, ArrowDown: 1 };
const EDGE = 48; // pixels from the window's edge within which dragging scrolls

class Order {
  constructor(root) {
    this.root = root;
    this.fieldset = root.closest("fieldset");
    this.list = root.querySelector("ol");
    this.voice = root.querySelector("[data-order-voice]");
    this.drawn = this.items();
    for (const item of this.drawn) findControl(item).disabled = false;
    this.listen();
    this.show();
    this.take(this.chosen());
  }

  items() {
    return [...this.list.children];
  }

  /* Take away what works without scripts, and bring what needs them. */
  show() {
    this.root.dataset.live = "";
    for (const part of this.fieldset.querySelectorAll("[data-scripted]")) part.hidden = false;
    for (const part of this.fieldset.querySelectorAll("[data-unscripted]")) part.hidden = true;
  }

  listen() {
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-move]");
      if (button) this.step(button.closest("li"), Number(button.dataset.move));
    });
    this.list.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      const item = event.target.closest("li");
      if (!step || !item || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.step(item, step);
    });
    for (const claim of this.claims()) {
      claim.addEventListener("change", () => this.claim(claim.dataset.claim === "yes"));
    }
    this.list.addEventListener("pointerdown", (event) => this.hold(event));
    this.fieldset.addEventListener("answers:written", () => this.take(this.currentOrder()));
  }

  claims() {
    return this.fieldset.querySelectorAll("[data-claim]");
  }

  /* The order that the choices of places tell, none unless each item has a place of its own. */
  chosen() {
    const place = (item) => Number(item.querySelector("select").value);
    const sorted = [...this.drawn].sort((first, second) => place(first) - place(second));
    return sorted.every((item, at) => place(item) === at + 1) ? sorted.map(getId) : [];
  }

  /* The order that the hidden controls tell. */
  currentOrder() {
    return this.items().map((item) => findControl(item).value).filter(Boolean);
  }

  /* Stand as an answer says; without one, as drawn. */
  take(ids) {
    const named = new Map(this.drawn.map((item) => [getId(item), item]));
    const order = ids.map((id) => named.get(id)).filter(Boolean);
    const answered = order.length === this.drawn.length;
    this.list.append(...(answered ? order : this.drawn));
    this.claim(answered);
  }

  /* Make the order as it stands the answer, or no answer. */
  claim(answered) {
    this.items().forEach((item, at) => {
      findControl(item).value = answered ? getId(item) : "";
      item.querySelector("select").value = answered ? String(at + 1) : "";
    });
    for (const claim of this.claims()) claim.checked = (claim.dataset.claim === "yes") === answered;
    this.root.dataset.claimed = answered ? "yes" : "no";
  }

  step(item, by) {
    const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) {
      this.say(this.root.dataset.wordsEdge, item);
      return;
    }
    if (by < 0) item.after(other);
    else item.before(other);
    item.scrollIntoView({ block: "nearest" });
    this.moved(item);
  }

  moved(item) {
    this.claim(true);
    this.say(this.root.dataset.wordsMoved, item);
    this.list.dispatchEvent(new Event("change", { bubbles: true }));
  }

  say(words, item) {
    const items = this.items();
    const values = {
      item: item.querySelector("[data-says]").innerText.trim(),
      place: items.indexOf(item) + 1,
      count: items.length,
    };
    this.voice.textContent = "";
    requestAnimationFrame(() => {
      this.voice.textContent = words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
    });
  }

  /* Hold an item: by its grip with a finger, anywhere with a mouse. */
  hold(event) {
    const item = event.target.closest("li");
    const mouse = event.pointerType === "mouse" && !event.target.closest("button, a, pre");
    if (!item || event.button !== 0 || !(mouse || event.target.closest("[data-grip]"))) return;
    event.preventDefault();
    const before = this.items();
    const over = new AbortController();
    const on = (target, name, act) => target.addEventListener(name, act, { signal: over.signal });
    const release = (isDropped) => {
      over.abort();
      item.classList.remove("is-held");
      if (!isDropped) this.list.append(...before);
      else if (this.items().some((other, at) => other !== before[at])) this.moved(item);
    };
    this.list.setPointerCapture(event.pointerId);
    item.classList.add("is-held");
    on(this.list, "pointermove", ({ clientY }) => this.drag(item, clientY));
    on(this.list, "pointerup", () => release(true));
    on(this.list, "pointercancel", () => release(false));
    on(document, "keydown", ({ key }) => key === "Escape" && release(false));
  }

  /* Let the others make way: whoever's middle the pointer has passed. */
  drag(item, y) {
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return box.top + box.height / 2;
    };
    while (item.previousElementSibling && y < middle(item.previousElementSibling)) {
      item.after(item.previousElementSibling);
    }
    while (item.nextElementSibling && y > middle(item.nextElementSibling)) {
      item.before(item.nextElementSibling);
    }
    if (y < EDGE) scrollBy(0, y - EDGE);
    else if (y > innerHeight - EDGE) scrollBy(0, y - innerHeight + EDGE);
  }
}

const getId = (item) => item.dataset.item;

const findControl = (item) => item.querySelector("[data-answer]");

for (const root of document.querySelectorAll("[data-order]")) new Order(root);
