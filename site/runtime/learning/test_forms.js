// The numbers of the test on /test/. The first form is the page's own numbers, which are facts
// (chapters/facts/assumptions.json). Each other form replaces all of them, so that one set of
// questions, answers and explanations serves every form. In each form, the kernel is memory-bound
// on X and compute-bound on Y, the passes take 50 to 67 % of the step, and the reported bandwidth
// exceeds X's; tests/site/runtime/learning/test_score.test.mjs checks that.

export const other_forms = [
  {
    "test-kernel.intensity": "80 FLOP/B",
    "test-kernel.rate": "102 TFLOP/s",
    "test-kernel.reported": "2.1 TB/s",
    "test-kernel.rows": "8192",
    "test-kernel.time": "8 µs",
    "test-model.cache": "1.25 GB",
    "test-model.passes": "64 %",
    "test-model.users": "24",
    "test-model.weights": "15 billion",
    "test-x.bandwidth": "1.5 TB/s",
    "test-x.compute": "240 TFLOP/s",
    "test-y.bandwidth": "1.5 TB/s",
    "test-y.compute": "80 TFLOP/s",
  },
  {
    "test-kernel.intensity": "150 FLOP/B",
    "test-kernel.rate": "342 TFLOP/s",
    "test-kernel.reported": "4 TB/s",
    "test-kernel.rows": "6144",
    "test-kernel.time": "6 µs",
    "test-model.cache": "2 GB",
    "test-model.passes": "55 %",
    "test-model.users": "40",
    "test-model.weights": "20 billion",
    "test-x.bandwidth": "3 TB/s",
    "test-x.compute": "900 TFLOP/s",
    "test-y.bandwidth": "3 TB/s",
    "test-y.compute": "180 TFLOP/s",
  },
  {
    "test-kernel.intensity": "120 FLOP/B",
    "test-kernel.rate": "204 TFLOP/s",
    "test-kernel.reported": "3.5 TB/s",
    "test-kernel.rows": "3072",
    "test-kernel.time": "4 µs",
    "test-model.cache": "0.5 GB",
    "test-model.passes": "62 %",
    "test-model.users": "60",
    "test-model.weights": "5 billion",
    "test-x.bandwidth": "2.5 TB/s",
    "test-x.compute": "600 TFLOP/s",
    "test-y.bandwidth": "2.5 TB/s",
    "test-y.compute": "140 TFLOP/s",
  },
];

export const form_count = other_forms.length + 1;

/**
 * {facts, texts} of a form: the page's facts with the form's values, and the text of each number.
 * `ask` evaluates expressions (page/page.js).
 */
export async function form_of(number, facts, ask) {
  const texts = number === 0 ? {} : other_forms[number - 1];
  const replaced = { ...facts };
  for (const [id, text] of Object.entries(texts)) {
    const { unit } = facts[id];
    const { value } = await ask({ op: "evaluate", expression: text, unit });
    replaced[id] = { value, unit };
  }
  return { facts: replaced, texts };
}

/**
 * A form's text of a number in the page's text; undefined if the number is computed, or if the page
 * counts in another unit, such as "millones" instead of "billion".
 */
export function form_text(texts, { expression, unit }) {
  const text = texts[expression];
  return text?.endsWith(unit) ? text : undefined;
}
