/** How old the data of a report are, where they come from a read replica. An instance without one shows nothing. */
import type { JSX } from 'preact'
import { useReading } from '../api/use-reading.ts'

const everyMs = 30_000

export function DataAge(): JSX.Element | null {
  const { value } = useReading('GET /reports/source', { everyMs })
  if (!value?.sentence) return null
  return (
    <p class="hint" role="status">
      {value.sentence}
    </p>
  )
}
