/** Imports that are running, in this panel, in another one or on the command line. A large file takes minutes. */
import type { JSX } from 'preact'
import { useReading } from '../../api/use-reading.ts'
import { Notice } from '../../kit/states.tsx'

const everyMs = 3000

export function RunningImports(): JSX.Element | null {
  const { value } = useReading('GET /settlements/imports', { everyMs })
  if (value === null || value.imports.length === 0) return null
  const number = new Intl.NumberFormat()
  return (
    <Notice>
      {value.imports.map(({ midId, midName, phase, rows }) => (
        <p key={midId} role="status">
          Importing a file of {midName ?? midId}: {number.format(rows)} rows{' '}
          {phase === 'reading' ? 'read so far.' : 'read, now matched and booked.'}
        </p>
      ))}
    </Notice>
  )
}
