// Summarizes all rows for /machines/: the number of valid machines, the reasons that others are
// invalid, and the distribution of rates.

// As in generator/core/load/profile_validation.cpp; a test compares them.
export const most = {
  cores: 4096,
  gflops: 4000,
  memory_gbs: 1000,
  clock_ghz: 12,
  flop_a_cycle: 512,
};

const bars = 30; // in a distribution (generator/core/load/gallery.hpp)

// Why a row is invalid: the first reason that applies.
const reasons = [
  ["no rate of one core", "NOT (coalesce(arithmetic, 0) > 0 AND coalesce(memory, 0) > 0)"],
  ["no core computes as much", `arithmetic > ${most.gflops}e9`],
  ["no core moves as much", `memory > ${most.memory_gbs}e9`],
  ["no processor runs as fast", `clock_ghz > ${most.clock_ghz}`],
  [
    "more in a cycle than any core",
    `clock_ghz > 0 AND arithmetic > clock_ghz * ${most.flop_a_cycle}e9`,
  ],
  ["more cores than a page can use", `cores > ${most.cores}`],
];

async function rows_of(connection, query) {
  return (await connection.runAndReadAll(query)).getRowsJS();
}

/**
 * {percentiles, bars} of a column: 101 values, and the number of values in each of 30 equal steps
 * of its logarithm.
 */
async function spread(connection, column) {
  const shares = Array.from({ length: 101 }, (_, i) => i / 100);
  const [[percentiles]] = await rows_of(
    connection,
    `SELECT quantile_disc(${column}, [${shares}]) FROM counted`,
  );
  const counts = await rows_of(
    connection,
    `WITH ends AS (SELECT ln(min(${column})) AS low, greatest(ln(max(${column})) - ln(min(${column})), 1e-9) AS width FROM counted)
     SELECT least(floor((ln(${column}) - low) / width * ${bars}), ${bars - 1})::INTEGER AS bar, count(*)
     FROM counted, ends GROUP BY bar`,
  );
  const heights = Array(bars).fill(0);
  for (const [bar, count] of counts) heights[bar] = Number(count);
  return { percentiles: percentiles.map((value) => Number(value.toPrecision(5))), bars: heights };
}

/** The summary of a table in the format of figures/gallery.json. */
export async function summary_of(connection, table) {
  const cases = reasons.map(([why, holds]) => `WHEN ${holds} THEN '${why}'`).join(" ");
  await connection.run(`
    CREATE TABLE judged AS SELECT *, CASE ${cases} END AS why,
      row_number() OVER (PARTITION BY numbers ORDER BY day, name) AS copy FROM ${table}`);
  await connection.run(
    "CREATE VIEW counted AS SELECT * FROM judged WHERE why IS NULL AND copy = 1",
  );
  const [[machines]] = await rows_of(connection, "SELECT count(*) FROM counted");
  if (Number(machines) === 0) throw new Error("there is no machine among these rows that counts");
  const left_out = Object.fromEntries(
    (
      await rows_of(
        connection,
        `SELECT coalesce(why, 'measured twice') AS reason, count(*) FROM judged
       WHERE why IS NOT NULL OR copy > 1 GROUP BY reason ORDER BY reason`,
      )
    ).map(([why, count]) => [why, Number(count)]),
  );
  const [[first, last]] = await rows_of(connection, "SELECT min(day), max(day) FROM counted");
  return {
    machines: Number(machines),
    first,
    last,
    left_out,
    arithmetic: await spread(connection, "arithmetic"),
    memory: await spread(connection, "memory"),
  };
}
