/* The reader's own choice of light or dark, kept on this device.
   A classic script in the head, not a module: it must run before the first paint, or the page flashes. */

(() => {
  const key = "theme";
  const root = document.documentElement;

  const read = () => {
    try {
      return localStorage.getItem(key) ?? "auto";
    } catch {
      return "auto"; // storage may be forbidden; the system's theme then stands
    }
  };

  const write = (theme) => {
    try {
      if (theme === "auto") localStorage.removeItem(key);
      else localStorage.setItem(key, theme);
    } catch {
      // the choice then lasts for this page only
    }
  };

  const apply = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
    }
  };

  apply(read());

  document.addEventListener("DOMContentLoaded", () => {
    const group = document.querySelector("[data-appearance]");
    if (!group) return;
    group.hidden = false;
    apply(read());
    group.addEventListener("click", (event) => {
      const choice = event.target.closest("[data-theme-choice]")?.dataset.themeChoice;
      if (!choice) return;
      write(choice);
      apply(choice);
    });
  });

  // another tab chose: follow it
  addEventListener("storage", (event) => {
    if (event.key === key) apply(read());
  });
})();
