/** The accepted networks: marks of the best-known ones, and the names of all for pointer and screen reader. Chapter 30 §7.1. */
import type { JSX } from 'preact'
import { networkName } from '#domain/network-names.ts'
import { NetworkMark } from './network-mark.tsx'

/** As many as fit beside the placeholder; the stylesheet hides the last two on phones. */
const shownAtMost = 4

export function AcceptedMarks({ networks }: { readonly networks: readonly string[] }): JSX.Element | null {
  if (networks.length === 0) return null
  const names = networks.map(networkName).join(', ')
  const shown = networks.slice(0, shownAtMost)
  return (
    <span class="marks" role="img" aria-label={names} title={names}>
      {shown.map((network) => (
        <NetworkMark key={network} network={network} isDecoration />
      ))}
    </span>
  )
}
