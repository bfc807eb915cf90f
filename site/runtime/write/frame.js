// In the frame of the preview, whose origin is opaque: takes a page's new text from the page around it, and goes where that says.
const policy = globalThis.trustedTypes?.createPolicy("primer", { createHTML: (html) => html });

function replace(html) {
  const fresh = new DOMParser().parseFromString(policy?.createHTML(html) ?? html, "text/html");
  const [now, then] = [document, fresh].map((page) => page.querySelector("main"));
  if (now && then) now.replaceWith(document.adoptNode(then));
}

/** The heading with this number, from 1; 0 is the top. */
function go_to(heading) {
  const headings = document.querySelectorAll("main h2, main h3");
  (headings.item(heading - 1) ?? document.querySelector("main")).scrollIntoView();
}

addEventListener("message", ({ data, source }) => {
  if (source !== parent) return;
  if (typeof data.html === "string") replace(data.html);
  if (typeof data.heading === "number") go_to(data.heading);
});
// A link would leave the page that is being written.
addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (link && !link.getAttribute("href").startsWith("#")) event.preventDefault();
});
