// Retries a measurement with less memory.

/** A module's request for memory was refused. */
export class NoMemory extends Error {}

// The errors of engines that cannot allocate an instance's memory: RangeError according to the
// standard, sometimes InternalError in Firefox. Their messages differ and depend on the browser's
// language.
const is_of_memory = (error) =>
  error instanceof NoMemory || ["RangeError", "InternalError"].includes(error?.name);

/**
 * `attempt(size)` for the first of `sizes` with enough memory. Throws the error of the last
 * attempt.
 */
export async function first_that_fits(sizes, attempt) {
  for (const [i, size] of sizes.entries()) {
    try {
      return await attempt(size);
    } catch (error) {
      if (i === sizes.length - 1 || !is_of_memory(error)) throw error;
    }
  }
  throw new NoMemory("this device keeps its memory to itself");
}
