/** Values that no line reaches, because there is none before and none after them: without a point of their own they would not be seen. */
export const loneValues = (values: readonly (number | null)[]): number[] =>
  values.flatMap((value, index) => {
    const isLone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
    return value !== null && isLone ? [index] : []
  })
