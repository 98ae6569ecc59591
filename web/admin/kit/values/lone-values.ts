/** Values without a neighbour on either side: no line connects them, so without a point they would be invisible. */
export const loneValues = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, index) => {
    const isLone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
    return value !== null && isLone ? [index] : []
  })
