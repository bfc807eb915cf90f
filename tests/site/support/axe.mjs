// The problems that axe-core finds on a page in its current state.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * A line per element that violates a rule: all rules, or `only` some. Empty is good.
 */
export async function axe_violations(page, only = null) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (names) => {
    // Lighthouse has the first rule, which axe leaves out by default. Both browsers make a
    // scrollable element, such as a long formula on a phone, focusable without tabindex.
    const rules = {
      "target-size": { enabled: true },
      "scrollable-region-focusable": { enabled: false },
    };
    const asked = names ? { runOnly: { type: "rule", values: names } } : { rules };
    const { violations } = await window.axe.run(document, {
      resultTypes: ["violations"],
      ...asked,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        (node) => `${id}: ${node.html.slice(0, 120)} ${node.failureSummary?.slice(0, 160)}`,
      ),
    );
  }, only);
}
