// Addresses of the book's repository: its editor for a file, and a report that is filled in. The
// page has both from the generator (repository_links.hpp). Without a repository they throw an Error
// that says what is missing.

const longest_address = 7_500; // hosts refuse longer ones, most of them at 8,000 bytes

const none = () => new Error("this site names no repository (primer build --repository)");

/** The address at which the repository's own editor opens `file`. */
export function editor_of(file) {
  const { edit } = document.documentElement.dataset;
  if (!edit) throw none();
  return edit + file.split("/").map(encodeURIComponent).join("/");
}

/**
 * The address of a new report that contains `change`: {address, is_whole}. If `change` is too long,
 * the report is empty.
 */
export function report_of(change) {
  const link = document.getElementById("report")?.href;
  if (!link) throw none();
  const address = new URL(link);
  const fields = address.searchParams;
  const empty = new URL(address).href;
  const fence = "```";
  const text = `${fence}\n${change}\n${fence}`;
  if (fields.has("template")) {
    fields.set("should", text);
  } else {
    const body = fields.has("issue[description]") ? "issue[description]" : "body";
    fields.set(body, [fields.get(body), text].filter(Boolean).join("\n\n"));
  }
  const is_whole = address.href.length <= longest_address;
  return { address: is_whole ? address.href : empty, is_whole };
}
