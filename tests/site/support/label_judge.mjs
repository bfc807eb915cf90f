// Whether the words in figures are readable: none is cut by its figure's edge or overlaps another,
// and words in one line are further apart than those of one label. Runs in a browser, after layout,
// with the figures' own fonts.

/** Runs in the page and returns the problems. */
function unreadable() {
  const most_cut = 1; // px: the space next to a letter
  const least_apart = 3; // px, in one line
  const corners_of = (text) => {
    const { a, b, c, d, e, f } = text.getScreenCTM();
    const size = Number(text.getAttribute("font-size"));
    const box = text.getBBox();
    const base = Number(text.getAttribute("y") ?? 0);
    // The height of capitals and descenders, without the line's leading.
    const [top, bottom] = [base - 0.7 * size, base + 0.2 * size];
    return [
      [box.x, top],
      [box.x + box.width, top],
      [box.x + box.width, bottom],
      [box.x, bottom],
    ].map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
  };
  const normals_of = (quad) =>
    quad.map(([x, y], i) => {
      const [next_x, next_y] = quad[(i + 1) % 4];
      const length = Math.hypot(next_x - x, next_y - y) || 1;
      return [(y - next_y) / length, (next_x - x) / length];
    });
  const extent = (quad, [x, y]) => {
    const along = quad.map((corner) => corner[0] * x + corner[1] * y);
    return [Math.min(...along), Math.max(...along)];
  };
  /** The minimum distance of two quadrilaterals; negative if they overlap. */
  const between = (one, other) =>
    Math.max(
      ...[...normals_of(one), ...normals_of(other)].map((normal) => {
        const [[low, high], [from, to]] = [extent(one, normal), extent(other, normal)];
        return Math.max(from - high, low - to);
      }),
    );
  const found = [];
  const judge = (svg) => {
    const frame = svg.getBoundingClientRect();
    const owner = svg.closest("figure")?.id;
    const texts = [...svg.querySelectorAll("text")].filter(
      (text) => text.textContent.trim() && text.checkVisibility({ visibilityProperty: true }),
    );
    const quads = texts.map(corners_of);
    quads.forEach((quad, i) => {
      const [[left, right], [top, bottom]] = [extent(quad, [1, 0]), extent(quad, [0, 1])];
      const cut = Math.max(
        frame.left - left,
        right - frame.right,
        frame.top - top,
        bottom - frame.bottom,
      );
      const words = `${owner}: “${texts[i].textContent}”`;
      if (cut > most_cut) found.push(`${words} is cut by ${cut.toFixed(1)} px`);
      quads.slice(0, i).forEach((other, k) => {
        const in_line = Math.abs(quad[3][1] - other[3][1]) < 2;
        const apart = between(quad, other);
        if (apart < (in_line ? least_apart : 0))
          found.push(`${words} is ${apart.toFixed(1)} px from “${texts[k].textContent}”`);
      });
    });
  };
  for (const svg of document.querySelectorAll("main figure svg"))
    if (svg.checkVisibility() && svg.getBoundingClientRect().width > 40) judge(svg);
  return found;
}

/** The unreadable words in the figures of the page, in its current layout. */
export async function unreadable_labels(page) {
  await page.evaluate(() =>
    Promise.allSettled([...document.fonts].map((face) => face.load())).then(() => {}),
  );
  return page.evaluate(unreadable);
}
