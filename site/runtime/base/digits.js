// Formats numbers as the book writes them.

/**
 * Three significant digits without an exponent: 0.123, 45.2, 1230. Only for numbers that no C++
 * writes; numbers in texts and figures come from C++ (round_and_write, significant), which also
 * rounds and groups thousands.
 */
export function digits(value, count = 3) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const places = Math.max(0, count - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(places, 6));
}
