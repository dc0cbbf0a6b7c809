// What the theme's forms lack: a form is checked by the server alone, whose sentences are in the
// language of the page, not in the browser's; and a file field may stand without the text field
// into which the theme writes the name of the file.

const EXPECTED = "input[type=text]"; // what the theme looks for, three levels up

function adaptForms(root) {
  for (const form of root.querySelectorAll("form")) form.noValidate = true;
  for (const input of root.querySelectorAll("input[type=file]")) {
    const around = input.parentNode?.parentNode?.parentNode;
    // The theme listens to a file field unless this is set.
    if (!around?.querySelector?.(EXPECTED)) input.hasChangeListener = true;
  }
}

adaptForms(document);
// Begun before that of the theme, so that a field of a new row is known before the theme sees it.
new MutationObserver(() => adaptForms(document)).observe(document.body, { childList: true, subtree: true });

// While the page loads, the theme may hide what has the focus at first; a browser then gives it none.
addEventListener("load", () => {
  const first = document.querySelector("[autofocus]");
  if (!first || ![document.body, first].includes(document.activeElement)) return;
  first.focus();
  first.select?.();
});
