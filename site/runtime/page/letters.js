// Switches drawings to the figure font after the first frame, so that text fonts load first; until
// then they use the reader's font. A few at a time, because all drawings of a chapter at once would
// block a slow phone for a fifth of a second.

const at_once = 3;
const next_frame = (action) => requestAnimationFrame(() => setTimeout(action));

/** Sets the font of each drawing. At the end, the page is "painted" (figures.css). */
export function letter_figures() {
  const left = [...document.querySelectorAll(".plot")];
  const letter = () => {
    for (const plot of left.splice(0, at_once)) plot.dataset.ready = "";
    if (left.length > 0) next_frame(letter);
    else document.documentElement.dataset.ready = "painted";
  };
  next_frame(letter);
}
