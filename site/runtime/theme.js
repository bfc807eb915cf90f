// Classic script in <head>: sets the chosen theme before the first paint, so that no page flashes.
// It is also all that runs in a page opened from a disk, where browsers load no modules: such a page
// is as with scripts off, keeps no room for what they would add, and links to files, not directories.
(() => {
  try {
    const { dataset } = document.documentElement;
    const { pathname } = new URL(dataset.root ?? "./", document.baseURI);
    // As storage.js names what this book keeps, and as it was named before.
    const theme =
      localStorage.getItem(`primer ${pathname} theme`) ?? localStorage.getItem("primer.theme");
    if (theme === "light" || theme === "dark") dataset.theme = theme;
  } catch {
    // Storage is refused: the system's theme stays.
  }

  if (location.protocol !== "file:") return;
  Object.assign(document.documentElement.dataset, { ready: "painted", file: "" });
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (link?.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  });
})();
