// Burst and sustained rates of a repeated kernel, and the files that store them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { thinned } from "../../../../site/runtime/lab/series_line.js";
import {
  series_file,
  series_rows,
  series_sentences,
  summary_of,
} from "../../../../site/runtime/lab/series.js";
import { csv_of } from "../../../../site/runtime/profile/csv.js";
import { faults } from "../../../machines/schema_check.mjs";

/** One reading per tenth of a second: value and clock as functions of the time. */
const series = (seconds, value, ghz = () => 4) =>
  Array.from({ length: seconds * 10 }, (_, i) => {
    const at = (i + 1) / 10;
    return { at, value: value(at), ghz: ghz(at) };
  });
const reason = (readings, unit = "GFLOP/s") => summary_of(readings, unit).because;

test("burst and sustained rates are distinguished, and the clock from other causes", () => {
  const cooled = (at) => (at < 8 ? 4 : 3);
  const hot = series(40, (at) => 10 * cooled(at), cooled);
  const { burst, sustained, ratio, because, seconds } = summary_of(hot, "GFLOP/s");
  assert.deepEqual(burst, { value: 40, ghz: 4, per_cycle: 10 });
  assert.deepEqual(sustained, { value: 30, ghz: 3, per_cycle: 10 });
  assert.deepEqual([ratio, because, seconds], [0.75, "clock", 40]);
  assert.equal(reason(series(40, () => 10)), "steady");
  assert.equal(reason(series(40, (at) => (at < 8 ? 10 : 7))), "work");
  assert.equal(reason(series(40, (at) => (at < 8 ? 10 : 5), cooled)), "both");
  const warmed = (at) => (at < 8 ? 3 : 4);
  assert.equal(
    reason(series(40, (at) => (at < 8 ? 10 : 7), warmed)),
    "work",
    "a faster clock is no reason",
  );
  const wait = summary_of(
    series(40, (at) => 400 / cooled(at), cooled),
    "ns",
  );
  assert.ok(Math.abs(wait.ratio - 0.75) < 1e-12, "a longer wait is slower");
  assert.equal(wait.because, "clock");
});

test("a short series has only a burst, and an empty one is reported", () => {
  assert.equal(
    summary_of(
      series(19, () => 1),
      "GB/s",
    ).sustained,
    null,
  );
  assert.match(
    series_sentences(
      summary_of(
        series(5, () => 1),
        "GB/s",
      ),
      "GB/s",
    )[1],
    /after 20 s/,
  );
  assert.deepEqual(series_sentences(summary_of([], "GB/s"), "GB/s"), ["Nothing was read."]);
  const one = summary_of([{ at: 9, value: 2, ghz: 1 }], "GB/s");
  assert.equal(one.burst.value, 2, "a first reading that takes long is a burst, too");
  for (const of_time of [() => 10, (at) => (at < 8 ? 10 : 7)])
    assert.equal(series_sentences(summary_of(series(40, of_time), "GB/s"), "GB/s").length, 3);
});

test("a series is kept as its schema says, and as a line a reading", () => {
  const readings = series(30, () => 12.3456789);
  const about = { module: "relaxed", browser: "B", engine: "E", os: "O", timer_us: 5 };
  const whole = { kernel: "matmul.packed", params: { n: 96 }, unit: "GFLOP/s", about, readings };
  const file = series_file({ ...whole, created: "2026-11-23T00:00:00Z" });
  const schema = JSON.parse(
    readFileSync(new URL("../../../../site/static/schemas/repeat.json", import.meta.url), "utf8"),
  );
  assert.deepEqual(faults(file, schema), []);
  assert.deepEqual(
    Object.keys(file).filter((name) => !(name in schema.properties)),
    [],
  );
  assert.deepEqual(file.readings[0], [0.1, 12.3457, 4]);
  const short = series_file({ ...whole, readings: [] });
  assert.equal(short.burst, null);
  const lines = csv_of(series_rows(whole)).split("\r\n");
  assert.equal(lines[0], "seconds,GFLOP/s,ghz,GFLOP/s / GHz");
  assert.equal(lines[1], "0.1,12.3457,4,3.08642");
  assert.equal(lines.length, readings.length + 2);
  assert.equal(series_rows({ unit: "ns", readings: [{ at: 1, value: 2, ghz: 4 }] })[1][3], 8);
});

test("a long series is drawn with as many points as a screen shows, the last among them", () => {
  const readings = series(100, () => 1);
  const points = thinned(readings, 300);
  assert.ok(points.length <= 300 && points.length > 200);
  assert.equal(points.at(-1), readings.at(-1));
  assert.equal(thinned(readings.slice(0, 5)).length, 5);
});
