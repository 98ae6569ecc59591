/** The state of a MID's circuit breaker, worded for the question whether payments get through. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import type { Tone } from '../../kit/states.tsx'

export type MidHealth = Answer<'GET /mids/:midId/health'>

// biome-ignore format: a table is read in columns.
const words: Readonly<Record<MidHealth['health'], readonly [string, Tone]>> = {
  closed:      ['healthy',  'good'],
  'half-open': ['probing',  'warn'],
  open:        ['failing',  'bad'],
}

export function HealthBadge({ health }: { readonly health: MidHealth | undefined }): JSX.Element {
  if (!health) return <span class="faint">—</span>
  const [text, tone] = words[health.health]
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {health.override !== null && <span class="faint"> (manual)</span>}
    </>
  )
}
