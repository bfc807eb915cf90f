// Folders of sources: who includes from whom, and what their READMEs name.
import { existsSync, readFileSync } from "node:fs";
import { table } from "./generated.mjs";

/**
 * The folders of `uses` (folder → set of folders), sorted so that each follows what it uses; null:
 * a cycle.
 */
export function in_order(uses) {
  const rest = new Map([...uses].sort(([a], [b]) => (a < b ? -1 : 1)));
  const order = [];
  while (rest.size) {
    const next = [...rest].filter(([, targets]) => ![...targets].some((name) => rest.has(name)));
    if (!next.length) return null;
    for (const [name] of next) {
      order.push(name);
      rest.delete(name);
    }
  }
  return order;
}

/** The include table of a tree, in the order of `in_order`. */
export const include_table = (uses, order) =>
  table(
    ["folder", "includes from"],
    order.map((name) => [
      `\`${name}/\``,
      order
        .filter((other) => uses.get(name).has(other))
        .map((other) => `\`${other}\``)
        .join(" "),
    ]),
  );

/**
 * The errors in a folder's README: a module that it does not name, or a name that is not a module.
 */
export function readme_faults(readme, modules) {
  if (!existsSync(readme)) return [`${readme} is missing`];
  const items = readFileSync(readme, "utf8").match(/^- .+?(?=:(?: |$)|\.$|$)/gm) ?? [];
  const named = items.flatMap((item) => [...item.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
  return [
    ...modules.filter((name) => !named.includes(name)).map((name) => `${readme} lacks \`${name}\``),
    ...named
      .filter((name) => !modules.includes(name))
      .map((name) => `${readme} names \`${name}\`, which is no module here`),
  ];
}
