// Only in pages that `primer serve` shows before the WebAssembly modules are built: disables what
// needs them and says why. live.js reloads the page once they are built.

const waiting = {
  ".bench-controls": "The kernels are still being built …",
  ".machine-cores": "",
  ".traps-bar > button": "The traps are still being built …",
  ".model-controls": "The model is still being built …",
  ".worked-form": "What checks answers is still being built …",
  ".predict-form": "What checks answers is still being built …",
};

function grey_out() {
  for (const [selector, words] of Object.entries(waiting)) {
    for (const element of document.querySelectorAll(`${selector}:not([inert])`)) {
      element.inert = true;
      if (!words) continue;
      const note = document.createElement("p");
      note.className = "primer-unbuilt";
      note.lang = "en";
      note.textContent = words;
      element.after(note);
    }
  }
}

// The page's scripts add most of these elements after the first frame.
new MutationObserver(grey_out).observe(document.body, { childList: true, subtree: true });
grey_out();
