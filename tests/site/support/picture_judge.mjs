// Whether two screenshots look alike from a step away: compares the mean colors of small squares,
// in a color space where equal steps look equal (Ottosson's Oklab), so that a different text
// rendering makes no difference.

/** Runs in a page: the image (PNG in base64), each pixel the mean of `by` × `by`. */
async function shrunk_here(base64, by) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  // Asking a bitmap for these took most of the time.
  const whole = { width: image.width, height: image.height };
  const [width, height] = [Math.ceil(whole.width / by), Math.ceil(whole.height / by)];
  const context = new OffscreenCanvas(whole.width, whole.height).getContext("2d", {
    willReadFrequently: true,
  });
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, whole.width, whole.height);
  const out = new ImageData(width, height);
  for (let row = 0; row < height; ++row)
    for (let column = 0; column < width; ++column) {
      const sum = [0, 0, 0, 0];
      for (let y = row * by; y < Math.min((row + 1) * by, whole.height); ++y)
        for (let x = column * by; x < Math.min((column + 1) * by, whole.width); ++x) {
          for (let channel = 0; channel < 3; ++channel)
            sum[channel] += data[4 * (y * whole.width + x) + channel];
          sum[3] += 1;
        }
      const mean = sum.slice(0, 3).map((total) => total / sum[3]);
      out.data.set([...mean, 255], 4 * (row * width + column));
    }
  const small = new OffscreenCanvas(width, height);
  small.getContext("2d").putImageData(out, 0, 0);
  const made = new Uint8Array(await (await small.convertToBlob()).arrayBuffer());
  return btoa(Array.from(made, (byte) => String.fromCharCode(byte)).join(""));
}

export const shrunk = (page, base64, by) => page.evaluate(shrunk_here, base64, by);

/** Runs in a page: the difference between two images (PNG in base64). */
async function compared(one, other, side, visible) {
  const squares = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
    const sums = Array.from({ length: columns * rows }, () => [0, 0, 0, 0]);
    const linear = (c) => (c <= 10.3 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    for (let i = 0; i < data.length; i += 4) {
      const pixel = i / 4;
      const column = Math.floor((pixel % width) / side);
      const sum = sums[Math.floor(pixel / width / side) * columns + column];
      for (const channel of [0, 1, 2]) sum[channel] += linear(data[i + channel]);
      sum[3] += 1;
    }
    return { width, height, colours: sums.map(([r, g, b, n]) => oklab(r / n, g / n, b / n)) };
  };
  const oklab = (r, g, b) => {
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  };
  const [a, b] = [await squares(one), await squares(other)];
  if (a.width !== b.width || a.height !== b.height)
    return { size: [`${a.width} × ${a.height}`, `${b.width} × ${b.height}`] };
  const steps = a.colours.map((from, i) =>
    Math.hypot(...from.map((value, channel) => value - b.colours[i][channel])),
  );
  const columns = Math.ceil(a.width / side);
  const worst = steps.indexOf(Math.max(...steps));
  return {
    share: steps.filter((step) => step > visible).length / steps.length,
    worst: [worst % columns, Math.floor(worst / columns)].map((at) => at * side),
    step: steps[worst],
  };
}

/**
 * {share, worst, step}: the share of squares of `side` px whose color differs by more than
 * `visible`, the position of the largest difference, and its size; or {size}, both sizes.
 */
export const difference = (page, one, other, { side = 4, visible = 0.03 } = {}) =>
  page.evaluate(compared, one, other, side, visible);
