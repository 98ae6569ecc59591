/** Trace numbers of one process that shares its lines with no other. */
import type { TraceNumbers } from '../../contracts/trace-numbers.ts'

/** No second of a terminal has more requests. */
const mostNumbers = 100_000

export function traceNumbersHere(): TraceNumbers {
  const owners = new Map<string, string>()
  return {
    reserve: async (key, transactionId) => {
      const owner = owners.get(key) ?? transactionId
      owners.set(key, owner)
      const [oldest] = owners.keys()
      if (owners.size > mostNumbers && oldest !== undefined) owners.delete(oldest)
      return owner === transactionId
    },
  }
}
