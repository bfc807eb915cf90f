// Classic script in <head>: sets the chosen theme before the first paint, so that no page flashes.
(() => {
  try {
    const theme = localStorage.getItem("primer.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is refused: the system's theme stays.
  }
})();
