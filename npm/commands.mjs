// The commands: what the module says is printed, and what it made is written.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";

import { write_book, write_into_book } from "./new_files.mjs";
import { open_program, roots_of } from "./program.mjs";
import { check_output, visible, write_site } from "./site_output.mjs";

/** A file as the book calls it: a path from where the user stands, or from the book's root. */
function in_book(book, path) {
  const from_here = existsSync(path) ? relative(book, path) : path;
  return from_here.split(sep).join("/");
}

/** The request for the module (generator/host/browser/book_call.hpp). */
function request_of(command) {
  const { name, operands = [], book, format } = command;
  const request = {
    command: name,
    format,
    base_url: command["base-url"] ?? "",
    repository: command.repository ?? "",
    drafts: command.drafts ?? false,
    unmeasured: command.unmeasured ?? false,
  };
  if (name === "check") {
    const files = operands.map((path) => in_book(book, path));
    return { ...request, files, prose: command.prose ?? false, counts: command.counts ?? false };
  }
  if (name === "new chapter") return { ...request, slug: operands[0] };
  if (name !== "new book") return request;
  const { title = "", language = "en" } = command;
  return { ...request, name: basename(resolve(operands[0])), title, language };
}

/**
 * In a log of GitHub's workflows a line that begins with "::" is a command, so none of a book's is
 * let through.
 */
function without_commands(text) {
  if (process.env.GITHUB_ACTIONS !== "true" || text === "") return text;
  const word = `primer-${randomUUID()}`;
  return `::stop-commands::${word}\n${text}::${word}::\n`;
}

/** As a shell takes it for one word. */
const for_a_shell = (text) =>
  /^[\w./+,:@%][\w./+,:@%-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Writes what came of a command; what there is to say of it. */
const writers = {
  build(command, { site }) {
    const out = command.out ?? join(command.book, "build/site");
    const changed = write_site(out, site, command.book);
    return command.format === "text"
      ? `${visible(out)}: ${site.size} files, ${changed} changed\n`
      : "";
  },
  "new book"({ operands: [directory] }, { files }) {
    // npm lets no package have a file of that name, so scripts/package_npm calls it otherwise.
    const { gitignore, ...others } = files;
    write_book(
      directory,
      gitignore === undefined ? others : { ...others, ".gitignore": gitignore },
    );
    return `a new book; to build it: npx under-the-roofline build --book ${visible(for_a_shell(directory))}\n`;
  },
  "new chapter"({ book }, { files }) {
    write_into_book(book, files);
    return Object.keys(files).sort().join("\n") + "\n";
  },
};

async function answer(command) {
  const { book = "." } = command;
  const makes_site = ["check", "build"].includes(command.name);
  if (command.name === "build") check_output(command.out ?? join(book, "build/site"), book);
  if (makes_site && existsSync(join(book, "site")))
    console.error("primer: note: ignoring the book's own site/, which is code");
  const { ask, site } = await open_program(roots_of(book));
  const { status, out, err, files } = await ask(request_of(command));
  process.stderr.write(command.format === "text" ? without_commands(err) : err);
  process.stdout.write(out);
  const write = status === 0 ? writers[command.name] : null;
  if (write) process.stdout.write(write(command, { site, files }));
  return status;
}

/** The exit status. */
export async function run(command) {
  try {
    return await answer(command);
  } catch ({ message }) {
    process.stderr.write(`primer: error: ${visible(message)}\n`);
    return 1;
  }
}
