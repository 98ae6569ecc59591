/** The test clock of a sandbox: it only moves forward, and everything that becomes due happens. */

import type { JSX } from 'preact'
import { hourMs } from '#domain/time.ts'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'

// biome-ignore format: a table is read in columns.
const steps = [
  // words       hours
  ['An hour',    1],
  ['A day',     24],
  ['A week',   168],
  ['30 days',  720],
] as const

export function TestClock(): JSX.Element {
  const read = useReading('GET /system/health')
  const form = useForm({
    initial: { hours: '24' },
    guards: false,
    check: ({ hours }) => ({ hours: Number(hours) > 0 ? null : 'Enter a number of hours greater than 0.' }),
    paths: { hours: 'byMs' },
    send: ({ hours }) => call('POST /system/clock', { body: { byMs: Math.round(Number(hours) * hourMs) } }),
    onDone: ({ now }) => {
      toast(`It is now ${new Date(now).toLocaleString()}.`)
      read.reload()
    },
  })
  return (
    <Section title="Test clock">
      <div class="stack">
        <ReadResult read={read} lines={2}>
          {({ now, machineTime }) => (
            <KeyValues
              rows={[
                ['Instance time', <DateTime at={now} seconds />],
                ['Machine time', <DateTime at={machineTime} seconds />],
              ]}
            />
          )}
        </ReadResult>
        <Form form={form} act="Move clock">
          <TextField
            label="Hours forward"
            inputMode="decimal"
            hint="Captures, retries and plans that become due are processed immediately."
            at={form.at('hours')}
          />
          <div class="page-actions">
            {steps.map(([words, hours]) => (
              <Button key={words} small onClick={() => form.set({ hours: String(hours) })}>
                {words}
              </Button>
            ))}
          </div>
        </Form>
      </div>
    </Section>
  )
}
