/** The known word that was probably meant, or null if none is close. */
export function nearest(name: string, known: readonly string[]): string | null {
  const ranked = known
    .map((word) => ({ word, distance: distance(name.toLowerCase(), word.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)
  const [best] = ranked
  if (!best || best.distance > Math.max(2, Math.floor(best.word.length / 3))) return null
  return best.word
}

/** ` Did you mean "x"?`, or an empty text; to end a sentence that refuses a name. */
export function suggestion(name: string, known: readonly string[]): string {
  const word = nearest(name, known)
  return word === null ? '' : ` Did you mean "${word}"?`
}

/** The number of single-letter edits (insert, delete, replace, swap two neighbours) between two words. */
function distance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
