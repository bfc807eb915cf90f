// Addresses of the repository: its editor, and a report with a change or about a fact.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { editor_of, report_of } from "../../../../site/runtime/write/repository.js";
import { wrong_fact } from "../../../../site/runtime/write/wrong_fact.js";

/** A page of a site with this repository. */
function page({ edit, report }) {
  globalThis.document = {
    documentElement: { dataset: edit ? { edit } : {} },
    getElementById: (id) => (id === "report" && report ? { href: report } : null),
  };
}
afterEach(() => delete globalThis.document);

const github = "https://github.com/o/book/issues/new?template=mistake.yml&page=write&build=a1";

test("the repository's editor opens the file", () => {
  page({ edit: "https://github.com/o/book/edit/main/" });
  assert.equal(
    editor_of("chapters/en/a b.md"),
    "https://github.com/o/book/edit/main/chapters/en/a%20b.md",
  );
});

test("without a repository, the missing part is reported", () => {
  page({});
  assert.throws(() => editor_of("a.md"), /names no repository \(primer build --repository\)/);
  assert.throws(() => report_of("x"), /names no repository/);
});

test("a report holds the change, in the field of each host", () => {
  const text = "```\n+ a & b\n```";
  page({ report: github });
  const { address, is_whole } = report_of("+ a & b");
  assert.ok(is_whole);
  const fields = new URL(address).searchParams;
  assert.equal(fields.get("should"), text);
  assert.equal(fields.get("build"), "a1");
  page({
    report: "https://gitlab.com/o/book/-/issues/new?issue[title]=p&issue[description]=Build",
  });
  const of_gitlab = new URL(report_of("+ a & b").address).searchParams;
  assert.equal(of_gitlab.get("issue[description]"), `Build\n\n${text}`);
  page({ report: "https://codeberg.org/o/book/issues/new?title=p&body=Build" });
  assert.equal(new URL(report_of("+ a & b").address).searchParams.get("body"), `Build\n\n${text}`);
});

test("a change that is too long for an address leaves the report empty", () => {
  page({ report: github });
  assert.deepEqual(report_of("x".repeat(8000)), { address: github, is_whole: false });
});

test("the fact behind a wrong number is found, but not for a computed one", () => {
  const line = "é reads [865 GB/s](fact:rtx-4090.l2) and [3 B](<calc: a.b>).";
  const problem = { rule: "wrong-literal", line: 2, length: 8, suggestion: "864 GB/s" };
  assert.deepEqual(wrong_fact({ ...problem, column: 10 }, `One\n${line}\n`), {
    ...{ id: "rtx-4090.l2", said: "865 GB/s", value: "864 GB/s" },
    before: `One\n${line.replace("865", "864")}\n`,
  });
  assert.equal(wrong_fact({ ...problem, column: 43, length: 3 }, `One\n${line}\n`), null);
  assert.equal(wrong_fact({ ...problem, rule: "unknown-fact", column: 10 }, line), null);
});
