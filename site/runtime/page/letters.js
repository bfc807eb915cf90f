// The letters of drawings. The text's own fonts come first, so a drawing begins with the reader's; it gets the book's after
// the first frame. A few at a time: all of a chapter together hold a slow phone for a fifth of a second.

const at_once = 3;
const next_frame = (action) => requestAnimationFrame(() => setTimeout(action));

/** Gives each drawing of the page its font; at the end the page is "painted" (figures.css). */
export function letter_figures() {
  const left = [...document.querySelectorAll(".plot")];
  const letter = () => {
    for (const plot of left.splice(0, at_once)) plot.dataset.ready = "";
    if (left.length > 0) next_frame(letter);
    else document.documentElement.dataset.ready = "painted";
  };
  next_frame(letter);
}
