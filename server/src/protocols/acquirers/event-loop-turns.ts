/**
 * Divides a burst of work among turns of the event loop.
 *
 * A process handles everything that is ready before it looks at its connections again. Fifty notifications that arrive together, or are stored
 * together, would hold every payment for as long as all of them take, and again at each answer of the database and the acquirer.
 */
type Resume = () => void

/** The returned function resolves in a later turn, for at most `perTurn` callers in each, in the order of their calls. */
export function eventLoopTurns(perTurn: number, onNextTurn: (run: () => void) => unknown = setImmediate) {
  let waiting: Resume[] = []
  const release = (): void => {
    const released = waiting.slice(0, perTurn)
    waiting = waiting.slice(perTurn)
    if (waiting.length > 0) onNextTurn(release)
    for (const resume of released) resume()
  }
  return (): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) onNextTurn(release)
    })
}
