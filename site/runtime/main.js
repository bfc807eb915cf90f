// What every page loads: small, and nothing else before the reader asks for it. Measuring, grading,
// drawing and the reader's results are imported on the first click, or when results are stored from
// an earlier visit.

const root = document.documentElement;
const make = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...children);
  return element;
};

function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Light, dark, or the system's; theme.js applies the choice before the next page's first paint. */
function add_theme_switch() {
  const select = document.querySelector(".theme-switch");
  if (!select) return;
  select.hidden = false;
  select.value = root.dataset.theme ?? "system";
  select.addEventListener("change", () => {
    if (select.value === "system") delete root.dataset.theme;
    else root.dataset.theme = select.value;
    try {
      localStorage.setItem("primer.theme", select.value);
    } catch {
      /* storage refused: this page only */
    }
  });
}

/** The contents are a <details>; Escape and a click outside close it. */
function tame_contents() {
  const contents = document.querySelector("details.contents");
  if (!contents) return;
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !contents.open) return;
    contents.open = false;
    contents.querySelector("summary").focus();
  });
  addEventListener("click", (event) => {
    if (contents.open && !contents.contains(event.target)) contents.open = false;
  });
}

function add_copy_buttons() {
  if (!navigator.clipboard) return;
  for (const pre of document.querySelectorAll("pre")) {
    const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(
          pre.querySelector("code")?.textContent ?? pre.textContent,
        );
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1500);
    });
    const frame = pre.closest(".code") ?? pre.parentElement;
    frame.append(button);
  }
}

/** Loads a part on demand and says so in words when it is gone from the server. */
async function on_demand(load, use, complain) {
  try {
    use(await load());
  } catch {
    complain("Unavailable, because the book was updated: reload the page.");
  }
}

class PrimerBench extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(".bench-button")) return;
    const button = make("button", {
      type: "button",
      className: "bench-button",
      textContent: "Measure",
    });
    button.addEventListener("click", () =>
      on_demand(
        () => import("./bench.js"),
        ({ toggle }) => toggle(this),
        (words) => {
          this.setAttribute("state", "unavailable");
          this.setAttribute("reason", words);
          this.querySelector(".bench-status").textContent = words;
        },
      ),
    );
    this.querySelector(".bench-head").append(make("div", { className: "bench-controls" }, button));
  }
}

function add_answer_inputs() {
  for (const section of document.querySelectorAll("section.worked")) {
    const id = `${section.id}-input`;
    const output = make("output", { className: "worked-result" });
    output.setAttribute("for", id);
    const form = make(
      "form",
      { className: "worked-form" },
      make("label", { htmlFor: id, textContent: "Your answer" }),
      make("input", { id, className: "worked-input", autocomplete: "off", spellcheck: false }),
      make("button", { type: "submit", textContent: "Check" }),
      output,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      on_demand(
        () => import("./worked.js"),
        ({ grade }) => grade(section),
        (words) => {
          output.textContent = words;
        },
      );
    });
    section.querySelector("details.answer")?.before(form);
  }
}

add_theme_switch();
tame_contents();
add_copy_buttons();
add_answer_inputs();
customElements.define("primer-bench", PrimerBench);
root.dataset.ready = "";
if (stored("primer.profile.v1") !== null)
  import("./refresh.js").then(({ refresh }) => refresh()).catch(() => {});
const machine = document.getElementById("bench-machine");
if (machine) {
  window.primer = {
    measure: async (options) => (await import("./console.js")).measure_here(options),
  };
  import("./machine.js").then(({ show }) => show(machine)).catch(() => {});
}
