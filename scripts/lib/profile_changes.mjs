// What differs between two profiles, of what `primer profile compare` prints of them: its tables without
// the rows that are the same, or that only one of the two has. Pure.

const is_told = (row) => / {2}differs$/.test(row);

/** {text, differing, compared} of the command's output. */
export function changes_in(output) {
  const [head, ...tables] = output.trimEnd().split("\n\n");
  const kept = [];
  let compared = 0;
  let differing = 0;
  for (const table of tables) {
    const [title, ...rows] = table.split("\n");
    const told = rows.filter(is_told);
    compared += rows.filter((row) => is_told(row) || / {2}same$/.test(row)).length;
    differing += told.length;
    if (told.length > 0) kept.push([title.trimEnd(), ...told].join("\n"));
  }
  const sum = `${differing} of ${compared} values differ.`;
  return { text: `${[head, ...kept, sum].join("\n\n")}\n`, differing, compared };
}
