// The differences between two profiles, from the output of `primer profile compare`: its tables
// without rows that are equal or that only one profile has. Pure.

const is_told = (row) => / {2}differs$/.test(row);

/** {text, differing, compared} from the output of the command. */
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
