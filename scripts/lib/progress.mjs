// Shows the progress of long work on stderr, like progress.bash: on a terminal as one line that is
// redrawn, otherwise as a new line every few seconds. Work that ends within half a second is not
// reported.

/** Formats milliseconds as "0:07". */
export const clock = (ms) => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** "[#####...............] " for a share; "" if it is no number. */
export function bar(share) {
  if (!(share >= 0 && share <= 1)) return "";
  const filled = Math.floor(20 * share);
  return `[${"#".repeat(filled)}${".".repeat(20 - filled)}] `;
}

/** "measure: 1 of 3  [####…] 21 %, Measuring Peak, 0:07", truncated to the terminal's `columns`. */
export function progress_line(title, { share, text = "" }, ms, columns = Infinity) {
  const far = share >= 0 ? `${Math.round(100 * share)} %` : "";
  const parts = [far, text, clock(ms)].filter(Boolean).join(", ");
  return `${title}  ${bar(share)}${parts}`.slice(0, columns);
}

/**
 * Reports the progress of the promise `work` until it settles, and settles in the same way. Calls
 * `how_far()` for {share, text}. `stream` is the output.
 */
export async function with_progress(title, work, how_far, options = {}) {
  const { stream = process.stderr, soon_ms = 500, every_ms = stream.isTTY ? 500 : 5000 } = options;
  const began = Date.now();
  let timer;
  const say = async () => {
    const far = await Promise.resolve()
      .then(how_far)
      .catch(() => ({}));
    if (timer === null) return; // it has ended in the meantime
    const columns = stream.isTTY ? (stream.columns ?? 80) - 1 : Infinity;
    const line = progress_line(title, far, Date.now() - began, columns);
    stream.write(stream.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    timer = setTimeout(say, every_ms);
  };
  timer = setTimeout(say, soon_ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    timer = null;
    if (stream.isTTY) stream.write("\r\x1b[K");
  }
}
