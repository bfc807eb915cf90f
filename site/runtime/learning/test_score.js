// Evaluates the answers of the test on /test/. An answer is {right, sure}, with `sure` 0 for "a
// guess", 1 for "I think so" and 2 for "sure"; a question without an answer is missing. Pure.

/** The questions of each topic. */
export const clusters = {
  counting: ["t-ridge", "t-axpy"],
  sides: ["t-upgrade", "t-matmul", "t-chips"],
  sharing: ["t-int8", "t-decode", "t-batch"],
  launching: ["t-launch"],
  judging: ["t-judge", "t-impossible"],
  buying: ["t-buy"],
};

export const items = Object.values(clusters).flat();

/**
 * An input whose number has more digits, because the chapters take "1 ms" for a rounded 0.52 ms. In
 * the test, only the tolerance counts. A comma before exactly three digits separates thousands.
 */
export const exact = (input) =>
  input.replace(/^\s*[-+]?\d[\d.,]*/, (number) => {
    const has_fraction = /\.\d*$|,\d{1,2}$|,\d{4,}$|^0,\d+$/.test(number.trim());
    return `${number}${has_fraction ? "" : "."}000000`;
  });

const needed = ["t-batch", "t-chips", "t-buy"];
const enough = 9;

const right_of = (answers, ids) => ids.filter((id) => answers[id]?.right === true);

/**
 * {right, understood, sure_but_wrong, shares}: the number of right answers; whether at least nine
 * are right, with the three that need several ideas; the ids of wrong answers that were given as
 * sure; and the share of right answers per topic.
 */
export function score_of(answers) {
  const right = right_of(answers, items).length;
  const shares = Object.entries(clusters).map(([name, ids]) => [
    name,
    right_of(answers, ids).length / ids.length,
  ]);
  return {
    right,
    understood: right >= enough && right_of(answers, needed).length === needed.length,
    sure_but_wrong: items.filter((id) => answers[id]?.right === false && answers[id].sure === 2),
    shares: Object.fromEntries(shares),
  };
}

/**
 * The gain per topic, which is the share of the previously missing part that was gained:
 * (after - before) / (1 - before). Null if nothing was missing.
 */
export function gains(before, after) {
  const gain = (then, now) => (then < 1 ? (now - then) / (1 - then) : null);
  const topics = Object.keys(clusters).map((name) => [
    name,
    gain(before.shares[name], after.shares[name]),
  ]);
  return Object.fromEntries(topics);
}
