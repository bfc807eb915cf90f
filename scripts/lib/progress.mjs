// Shows where long work is, as progress.bash does, for scripts in JavaScript: on stderr, a line that is
// drawn again where there is a terminal, and a new one every few seconds where there is none. What ends
// within half a second is not mentioned.

/** "0:07" of milliseconds. */
export const clock = (ms) => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** "[#####...............] " of a share; nothing of what is none. */
export function bar(share) {
  if (!(share >= 0 && share <= 1)) return "";
  const filled = Math.floor(20 * share);
  return `[${"#".repeat(filled)}${".".repeat(20 - filled)}] `;
}

/** "measure: 1 of 3  [####…] 21 %, Measuring Peak, 0:07", cut to a terminal's `columns`. */
export function progress_line(title, { share, text = "" }, ms, columns = Infinity) {
  const far = share >= 0 ? `${Math.round(100 * share)} %` : "";
  const parts = [far, text, clock(ms)].filter(Boolean).join(", ");
  return `${title}  ${bar(share)}${parts}`.slice(0, columns);
}

/**
 * Says how far `work` (a promise) is until it is over, asking `how_far()` for {share, text}; resolves as it
 * does. `stream` is where it says so.
 */
export async function with_progress(title, work, how_far, options = {}) {
  const { stream = process.stderr, soon_ms = 500, every_ms = stream.isTTY ? 500 : 5000 } = options;
  const began = Date.now();
  let timer;
  const say = async () => {
    const far = await Promise.resolve()
      .then(how_far)
      .catch(() => ({}));
    if (timer === null) return; // it ended meanwhile
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
