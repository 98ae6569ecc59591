/** The values of a chart of bars. */

/** A bar of height zero would be drawn as a line, so a zero has no bar. */
export const barsOf = (values: readonly (number | null)[]): (number | null)[] =>
  values.map((value) => (value === 0 ? null : value))
