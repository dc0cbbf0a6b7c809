// A table of rows to choose works without this; here one tick chooses them all.

for (const table of document.querySelectorAll("[data-choose-all]")) {
  const place = table.querySelector("[data-choose-all-here]");
  const ticks = [...table.querySelectorAll("tbody input[type=checkbox]")];
  if (!place || !ticks.length) continue;
  const all = Object.assign(document.createElement("input"), { type: "checkbox" });
  all.setAttribute("aria-label", table.dataset.chooseAll);
  const follow = () => {
    const count = ticks.filter((tick) => tick.checked).length;
    all.checked = count === ticks.length;
    all.indeterminate = count > 0 && !all.checked;
  };
  all.addEventListener("change", () => {
    for (const tick of ticks) tick.checked = all.checked;
  });
  table.addEventListener("change", follow);
  follow();
  place.replaceChildren(all);
}
