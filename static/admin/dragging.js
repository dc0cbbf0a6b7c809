// Dragging the rows of a list by their handles, with a mouse; buttons beside do it by keyboard.

// `moved` is called with the row when it is let go. Rows that are added later need `prepareHandle`.
export function prepareHandle(row, moved) {
  const handle = row.querySelector("[data-handle]");
  handle.hidden = false;
  handle.addEventListener("pointerdown", () => { row.draggable = true; });
  handle.addEventListener("pointerup", () => { row.draggable = false; });
  row.addEventListener("dragstart", () => row.classList.add("is-dragged"));
  row.addEventListener("dragend", () => {
    row.draggable = false;
    row.classList.remove("is-dragged");
    moved(row);
  });
}

export function acceptDragged(rows) {
  rows.addEventListener("dragover", (event) => {
    const dragged = rows.querySelector(".is-dragged");
    const over = event.target.closest("[data-row]");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const box = over.getBoundingClientRect();
    const after = event.clientY > box.top + box.height / 2;
    rows.insertBefore(dragged, after ? over.nextSibling : over);
  });
}
