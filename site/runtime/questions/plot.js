// Positions in a roofline drawing: its logarithmic axes and the path of a roof. Pure.

/**
 * Maps values to positions in the drawing and back; `span` is "low high from to" of a logarithmic
 * axis.
 */
export function axis_of(span) {
  const [low, high, from, to] = span.split(" ").map(Number);
  const decades = Math.log(high / low);
  return {
    at: (value) => from + ((to - from) * Math.log(value / low)) / decades,
    value: (at) => low * Math.exp((decades * (at - from)) / (to - from)),
    low,
    high,
  };
}

/** The roof of {rate, bandwidth}, clipped to the plot: its start, ridge and end. */
export function roof_of({ rate, bandwidth }, x, y) {
  const foot = Math.max(x.low, y.low / bandwidth);
  return [
    [x.at(foot), y.at(foot * bandwidth)],
    [x.at(rate / bandwidth), y.at(rate)],
    [x.at(x.high), y.at(rate)],
  ];
}

/** The points of a line as the path of an SVG. */
export const path_of = (points) =>
  `M${points.map((point) => point.map((c) => c.toFixed(1)).join()).join("L")}`;
