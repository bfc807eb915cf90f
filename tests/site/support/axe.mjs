// What axe-core finds wrong with a page, as it is at that moment.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * A line in words for each element that violates a rule, of all of them or of those that are `only`
 * asked for; empty is good.
 */
export async function axe_violations(page, only = null) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (names) => {
    // Lighthouse asks for the first, which axe leaves out by itself. Both browsers take the
    // keyboard to what scrolls, a long formula on a phone, without its being asked for.
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
