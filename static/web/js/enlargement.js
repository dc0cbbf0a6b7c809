/* Code, formulas and tables of a text, larger: by a tap; code and tables by Enter, too, with focus.
   A tap in an option chooses it, so what is wider than its option has a button below it. A mouse is
   left to select text. */

const dialog = document.querySelector("dialog[data-enlargement]");
const content = dialog.querySelector("[data-enlargement-content]");
const buttonTemplate = document.querySelector("template[data-enlargement-button]");
const CONTROLS = "a, button, input, label, select, summary, textarea";

function findEnlargeable(target) {
  if (target.closest(CONTROLS) || dialog.contains(target)) return null;
  return target.closest(".table-scroll") ?? target.closest("pre.code, math");
}

function open(...elements) {
  const copies = elements.map((element) => element.cloneNode(true));
  for (const copy of copies) copy.removeAttribute("tabindex"); // the content around them scrolls
  content.replaceChildren(...copies);
  dialog.showModal();
}

const isWide = (element) => element.scrollWidth > element.clientWidth;

function addButton(text, number) {
  const enlargeable = [...text.querySelectorAll("pre.code, .table-scroll, math[display=block]")];
  if (enlargeable.length === 0) return;
  const button = buttonTemplate.content.firstElementChild.cloneNode(true);
  text.id ||= `option-text-${number}`;
  button.setAttribute("aria-describedby", text.id);
  button.addEventListener("click", () => open(...enlargeable));
  text.closest(".option").after(button);
  new ResizeObserver(() => (button.hidden = !enlargeable.some(isWide))).observe(text);
}

document.querySelectorAll(".option .option-text").forEach(addButton);

const isTap = (event) =>
  event.pointerType ? event.pointerType !== "mouse" : matchMedia("(pointer: coarse)").matches;

document.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close(); // the backdrop
  const element = isTap(event) && findEnlargeable(event.target);
  if (element) open(element);
});

document.addEventListener("keydown", (event) => {
  const element = event.target;
  if (event.key === "Enter" && element.matches("pre.code, .table-scroll")) open(element);
});
