// What to do where a measurement's memory cannot be had: the same with less.

/** The memory that a module asks for was refused. */
export class NoMemory extends Error {}

// What engines throw for an instance whose memory they cannot give: RangeError says the standard,
// Firefox has InternalError for some. Their words differ, and with the browser's language.
const is_of_memory = (error) =>
  error instanceof NoMemory || ["RangeError", "InternalError"].includes(error?.name);

/** `attempt(size)` of the first of `sizes` that there is memory for. Throws what the last one threw. */
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
