// What is made when it is first asked for: files that are fetched, modules, style sheets.

/**
 * `make()` once, its promise for everybody; a failure is forgotten, so that a later click tries
 * again.
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
