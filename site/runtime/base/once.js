// Memoizes what is created on first use: fetched files, modules, style sheets.

/**
 * Calls `make()` once and returns the same promise to every caller. Forgets a rejected promise, so
 * that a later click tries again.
 */
export function once(make) {
  let made = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}
