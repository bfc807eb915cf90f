// Locations of Parquet data: a file, an S3 object that DuckDB reads and writes, or an address for
// GET and PUT.
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const is_address = (place) => /^https?:\/\//.test(place);

export const is_file = (place) => !is_address(place) && !place.startsWith("s3://");

/** The place without the query of a signed address, which is secret. */
export const shown = (place) => (is_address(place) ? place.replace(/[?#].*/, "") : place);

async function asked(place, how) {
  const answer = await fetch(place, how);
  if (!answer.ok) throw new Error(`${shown(place)} answers ${answer.status} ${answer.statusText}`);
  return answer;
}

/** The place that DuckDB can read: `place`, or `file` after downloading `place` into it. */
export async function to_read(place, file) {
  if (!is_address(place)) return place;
  const { body } = await asked(place, {});
  await pipeline(Readable.fromWeb(body), createWriteStream(file));
  return file;
}

/**
 * Calls `write` with the place, or with `file` and then uploads it if DuckDB cannot write to the
 * place.
 */
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
