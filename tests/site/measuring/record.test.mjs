// `primer measure` in another book with its own kernel: before the recording, the pages say what is
// missing; afterwards, they show its numbers. This runs alone, because it measures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { KernelBook, repository } from "../../program/support/kernel_book.mjs";

const chapter = `The copy moves [1.00 GB/s](live:own.copy).

\`\`\`predict
id: q-copy
ask: How fast is the copy?
measured: own.copy
unit: GB/s
then: It reads and writes.
\`\`\`

\`\`\`bench
id: bench-copy
kernels: [own.copy, "own.copy{w=8192}"]
try: Measure.
\`\`\`

\`\`\`verdict
id: verdict-copy
on: own.copy / 1 GB/s
cases:
  - when: empty
    say: "The reference measured {value | × | 3}."
  - when: untrusted
    say: "Measured: unsteady."
  - when: unavailable
    say: "It cannot be measured: {reason}."
  - when: otherwise
    say: "Measured: {value | × | 3}."
\`\`\`

\`\`\`figure
id: fig-copy
spec: copy
caption: Rates of the copy.
alt: One bar.
\`\`\`
`;
const spec = {
  kind: "roofline",
  title: "The copy",
  machines: [{ label: "Example", peak: "1 TFLOP/s", bandwidth: "100 GB/s" }],
  points: [{ label: "the copy", kernel: "own.copy", intensity: "1 FLOP/B" }],
};

const recorded_here = join(repository, "figures/profiles/reference-chromium.json");

describe("a foreign book is recorded", { timeout: 600_000 }, () => {
  const book = new KernelBook();
  const profile = join(book.root, "figures/profiles/here.json");
  const page = () => readFileSync(join(book.site, "first/index.html"), "utf8");
  const verdict = () => /<p class="verdict"[^>]*>([^<]*)/.exec(page())[1];
  /** The kernel's row in the figure's table. */
  const row = () => /<th scope="row">the copy<\/th>(.*?)<\/tr>/.exec(page())[1];
  const options = ["--pace", "quick", "--modules", join(repository, "build/wasm")];

  before(() => {
    book.add_copy({ kernel: { flops: "w" } });
    book.write_chapter(chapter);
    book.write("figures/specs/copy.json", `${JSON.stringify(spec)}\n`);
    const list = readFileSync(join(book.root, "chapters/book.yaml"), "utf8");
    book.write("chapters/book.yaml", `${list}reference: here\n`);
  });
  after(() => book.remove());

  test("before the record, the book builds, and one warning says how to record", () => {
    const { status, said } = book.build();
    assert.equal(status, 0, said);
    assert.equal(said.match(/\[unknown-profile\]/g).length, 1, said);
    assert.match(said, /book\.yaml:4:12: warning: .*here\.json" is not recorded yet/);
    assert.match(said, /note: to record this machine, run: primer measure\n/);
    assert.equal(verdict(), "Not measured yet.");
    assert.equal(row(), "<td></td><td>not measured</td><td></td>");
  });

  test("the record has the kernel, and the pages show it", () => {
    const measured = book.run("measure", ...options);
    assert.equal(measured.status, 0, measured.said);
    assert.match(measured.said, /\nfigures\/profiles\/here\.json\n/);
    assert.match(measured.said, /to update the numbers in the text: primer check --fix\n/);
    const { results, note, browser } = JSON.parse(readFileSync(profile, "utf8"));
    const own = results.filter(({ kernel }) => kernel === "own.copy");
    assert.deepEqual(
      own.map(({ params, status, verified }) => [params.w, status, verified]),
      [16777216, 8192].map((w) => [w, "measured", true]),
    );
    assert.match(browser, /^Chrom(e|ium) \d/);
    assert.match(note, /primer measure, 1 quick run/);
    const check = book.check();
    assert.match(check.said, /the text says 1\.00 GB\/s, but the value is [\d.]+ GB\/s/);
    const fixed = book.run("check", "--fix", "--modules", "none", "--fonts", "none");
    assert.equal(fixed.status, 0, fixed.said);
    const { status, said } = book.build();
    assert.equal(status, 0, said);
    assert.match(verdict(), /^The reference measured [\d.]+ ?×\.$/);
  });

  test("a figure draws the kernel under the roofs of an undisturbed record", () => {
    // Other programs may have disturbed the recording, so it gets the roofs of this book's profile.
    const { roofs, levels } = JSON.parse(readFileSync(recorded_here, "utf8"));
    const { results, ...rest } = JSON.parse(readFileSync(profile, "utf8"));
    const steady = results.map((result) => ({ ...result, flags: [] }));
    const text = JSON.stringify({ ...rest, roofs, levels, results: steady });
    book.write("steady.json", text);
    const used = book.run("profile", "use", "steady.json");
    assert.equal(used.status, 0, used.said);
    assert.equal(used.said.split("\n")[0], "figures/profiles/here.json");
    assert.equal(readFileSync(profile, "utf8"), text);
    assert.equal(book.run("check", "--fix", "--modules", "none", "--fonts", "none").status, 0);
    const { status, said } = book.build();
    assert.equal(status, 0, said);
    assert.match(row(), /^<td>1\sFLOP\/B<\/td><td>[\d.]+\sGFLOP\/s/);
  });

  test("a profile with a kernel that the book lacks is refused", () => {
    const before = readFileSync(profile, "utf8");
    book.write("other.json", before.replaceAll("own.copy", "own.other"));
    const { status, said } = book.run("profile", "use", "other.json");
    assert.equal(status, 1);
    assert.match(said, /other\.json:\d+:\d+: error: .*"own\.other"/);
    assert.equal(readFileSync(profile, "utf8"), before);
  });

  test("a part is not stored as the book's reference", () => {
    const { status, said } = book.run("measure", "--only", "own.copy");
    assert.notEqual(status, 0);
    assert.match(said, /--only requires --out/);
    const part = join(book.root, "part.json");
    const measured = book.run("measure", ...options, "--only", "own.*", "--out", part);
    assert.equal(measured.status, 0, measured.said);
    const { results } = JSON.parse(readFileSync(part, "utf8"));
    assert.deepEqual(
      results.map(({ kernel, status: outcome }) => [kernel, outcome]),
      [["own.copy", "measured"]],
    );
  });
});
