// Reads and writes rows in Parquet with DuckDB.
import { DuckDBDataChunk, DuckDBInstance, DOUBLE, INTEGER, VARCHAR } from "@duckdb/node-api";

import { columns } from "./rows.mjs";

const rows_at_once = 2048; // the size of DuckDB's chunks
const types = { VARCHAR, INTEGER, DOUBLE };
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/**
 * Connects to an in-memory DuckDB. `places` in S3 need an extension, and the credentials that it
 * finds.
 */
export async function open_duckdb(places) {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  if (places.some((place) => place.startsWith("s3://"))) {
    for (const name of ["httpfs", "aws"]) await connection.run(`INSTALL ${name}; LOAD ${name}`);
    await connection.run("CREATE SECRET (TYPE s3, PROVIDER credential_chain)");
  }
  return connection;
}

/**
 * Writes rows (arrays of values in column order) to a file or an S3 object. Returns their number.
 */
export async function write_parquet(connection, rows, place) {
  const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  await connection.run(`CREATE OR REPLACE TABLE profiles (${list.join(", ")})`);
  const appender = await connection.createAppender("profiles");
  const kinds = Object.values(columns).map((type) => types[type]);
  const append = (some) => {
    const chunk = DuckDBDataChunk.create(kinds, some.length);
    chunk.setRows(some);
    appender.appendDataChunk(chunk);
  };
  let some = [];
  let count = 0;
  for (const row of rows) {
    ++count;
    some.push(row);
    if (some.length < rows_at_once) continue;
    append(some);
    some = [];
  }
  if (some.length > 0) append(some);
  appender.closeSync();
  await connection.run(`COPY profiles TO ${quoted(place)} (FORMAT parquet, COMPRESSION zstd)`);
  return count;
}

/** Creates a table from the contents of the files, and returns its name for queries. */
export async function read_parquet(connection, places) {
  const list = `[${places.map(quoted).join(", ")}]`;
  await connection.run(
    `CREATE VIEW read AS SELECT ${Object.keys(columns)} FROM read_parquet(${list})`,
  );
  return "read";
}
