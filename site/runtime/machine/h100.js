// The H100 that a result is compared with. Another book may not have its facts.

import { once } from "../base/once.js";
import { ask } from "../page/page.js";

export const h100 = { peak: "h100-sxm.peak.bf16", bandwidth: "h100-sxm.bandwidth" };

/** The ridge in FLOP/B; null if the book does not have the facts. */
export const h100_ridge = once(async () => {
  const expression = `${h100.peak} / ${h100.bandwidth}`;
  const found = ask({ op: "evaluate", expression, unit: "FLOP/B", digits: 3 });
  return (await found.catch(() => ({ value: null }))).value;
});
