/* Code, formulas and tables of a text, larger: by a tap; code and tables by Enter, too, with focus.
   A tap in an option chooses it, and a mouse is left to select text. */

const dialog = document.querySelector("dialog[data-enlargement]");
const content = dialog.querySelector("[data-enlargement-content]");
const CONTROLS = "a, button, input, label, select, summary, textarea";

function findEnlargeable(target) {
  if (target.closest(CONTROLS) || dialog.contains(target)) return null;
  return target.closest(".table-scroll") ?? target.closest("pre.code, math");
}

function open(element) {
  const copy = element.cloneNode(true);
  copy.removeAttribute("tabindex"); // what scrolls is the dialog's content around it
  content.replaceChildren(copy);
  dialog.showModal();
}

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
