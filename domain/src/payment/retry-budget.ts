/** How often one card may be tried again, by the rules of its network. Chapter 10 §6 ("RETRY"), chapter 50 §4. */
import { limits } from '../limits.ts'

interface Window {
  readonly tries: number
  readonly withinMs: number
}

/** Networks that are not listed grant any number. */
const windowsOf: Readonly<Record<string, readonly Window[]>> = limits.retryBudget

/** Since when tries count at all; null when the network does not count them. */
export function countedSince(network: string | null, now: Date): Date | null {
  const longest = Math.max(0, ...windows(network).map(({ withinMs }) => withinMs))
  return longest === 0 ? null : new Date(now.getTime() - longest)
}

/** Whether one more try is within every window. */
export function hasRoom(network: string | null, tries: readonly Date[], now: Date): boolean {
  return windows(network).every(({ tries: most, withinMs }) => {
    const since = now.getTime() - withinMs
    return tries.filter((at) => at.getTime() > since).length < most
  })
}

const windows = (network: string | null): readonly Window[] => windowsOf[network ?? ''] ?? []
