// Comma-separated values (RFC 4180) of rows, and of a profile's results. Pure.

/**
 * A cell. Numbers get up to six digits. Text is quoted if necessary, and escaped if a spreadsheet
 * would take it for a formula.
 */
function cell(value) {
  if (typeof value === "number")
    return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "";
  const text = String(value ?? "");
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}

/** The text of a file: rows of numbers and texts, CRLF after each. */
export const csv_of = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

const columns = [
  ...["kernel", "variant", "params", "threads", "device", "module", "status", "unit"],
  ...["median", "mad", "best", "sustained", "per_cycle", "samples", "flops", "bytes"],
  ...["verified", "flags", "run", "reason"],
];

/**
 * The rows of a profile's results, headed by the columns' names (docs/reference/profile-format.md).
 */
export function result_rows({ results = [] }) {
  const row_of = (result) => {
    const { variant = "", ...params } = result.params;
    const given = Object.entries(params).map(([name, value]) => `${name}=${value}`);
    const all = {
      ...result,
      variant,
      params: given.join(" "),
      threads: result.threads ?? 1,
      flags: (result.flags ?? []).join(" "),
    };
    return columns.map((name) => all[name]);
  };
  return [columns, ...results.map(row_of)];
}
