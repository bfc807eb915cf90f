// Where Parquet lies: a file, something of S3 that DuckDB reads and writes itself, or an address that is asked by GET and PUT.
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const is_address = (place) => /^https?:\/\//.test(place);

export const is_file = (place) => !is_address(place) && !place.startsWith("s3://");

/** Without what a signed address must not show. */
export const shown = (place) => (is_address(place) ? place.replace(/[?#].*/, "") : place);

async function asked(place, how) {
  const answer = await fetch(place, how);
  if (!answer.ok) throw new Error(`${shown(place)} answers ${answer.status} ${answer.statusText}`);
  return answer;
}

/** The place that DuckDB reads: `place` itself, or what was fetched of it into `file`. */
export async function to_read(place, file) {
  if (!is_address(place)) return place;
  const { body } = await asked(place, {});
  await pipeline(Readable.fromWeb(body), createWriteStream(file));
  return file;
}

/** Has `write` write to the place, by way of `file` where DuckDB cannot. */
export async function write_to(place, file, write) {
  if (!is_address(place)) return write(place);
  const written = await write(file);
  await asked(place, {
    method: "PUT",
    headers: { "content-length": String(statSync(file).size) },
    body: Readable.toWeb(createReadStream(file)),
    duplex: "half",
  });
  return written;
}
