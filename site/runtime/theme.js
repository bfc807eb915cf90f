// A classic script in <head> that sets the chosen theme before the first paint, so that no page
// flashes, and marks a page whose reader has results, which reserves room for them. It is the only
// script that runs in a page opened from a disk, where browsers load no modules. Such a page looks
// the same as with scripts off, reserves no space for what scripts add, and links to files instead
// of directories.
(() => {
  try {
    const { dataset } = document.documentElement;
    const { pathname } = new URL(dataset.root ?? "./", document.baseURI);
    // An entry's current name (storage.js), and its old name.
    const stored = (name) =>
      localStorage.getItem(`primer ${pathname} ${name}`) ?? localStorage.getItem(`primer.${name}`);
    const theme = stored("theme");
    if (theme === "light" || theme === "dark") dataset.theme = theme;
    if (stored("profile.v1") !== null) dataset.measured = "";
  } catch {
    // Storage is denied, so use the system's theme.
  }

  if (location.protocol !== "file:") return;
  Object.assign(document.documentElement.dataset, { ready: "painted", file: "" });
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (link?.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  });
})();
