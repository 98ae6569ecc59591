/** The circuit breaker of a MID, its recent approval rates, and the manual override. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { HealthBadge, type MidHealth } from './health-badge.tsx'
import { percentText, rateText } from './rate.ts'

type Override = MidHealth['override']
type CellRow = MidHealth['approval']['cells'][number]

const refreshMs = 3000

export function HealthSection({ midId }: { readonly midId: string }): JSX.Element {
  const read = useReading('GET /mids/:midId/health', { params: { midId }, everyMs: refreshMs })
  const wish = useSignal<{ readonly override: Override } | null>(null)
  const ask = (override: Override) => () => {
    wish.value = { override }
  }
  return (
    <ReadResult read={read}>
      {(health) => (
        <>
          <Section
            title="Circuit breaker"
            actions={
              <May use="mids.write">
                {health.override !== 'open' && <Button onClick={ask('open')}>Block payments</Button>}
                {health.override !== 'closed' && <Button onClick={ask('closed')}>Ignore failures</Button>}
                {(health.override !== null || health.health !== 'closed') && <Button onClick={ask(null)}>Reset</Button>}
              </May>
            }
          >
            <KeyValues
              rows={[
                ['State', <HealthBadge health={health} />],
                ['Since', <DateTime at={health.since} />],
                ['Requests in the window', String(health.exchanges.attempts)],
                ['Technical failures', failedText(health)],
                ['Approved, last hour', rateText(health.approval)],
              ]}
            />
            <p class="faint">
              The approval rate covers the acquirer’s answers of the last hour, live and test, every cascade attempt.
              Hard declines and suspected fraud are not counted, because any other MID would have declined them, too.
              The dashboard covers the period selected there. Routing by approval rate uses the rows below; a row needs
              enough responses to count.
            </p>
          </Section>
          <Section title="Approval by network, issuer country and currency">
            <DataTable
              caption="Approval rates of the last hour"
              list={pageOfRows(health.approval.cells)}
              keyOf={({ network, country, currency }) => `${network} ${country} ${currency}`}
              columns={columns}
              empty={<Empty title="No responses in the last hour." />}
            />
          </Section>
          {wish.value && (
            <OverrideDialog
              midId={midId}
              override={wish.value.override}
              onDone={read.reload}
              onClose={() => {
                wish.value = null
              }}
            />
          )}
        </>
      )}
    </ReadResult>
  )
}

const failedText = ({ exchanges: { failed, failureRate } }: MidHealth): string =>
  failureRate === null ? countText(failed) : `${countText(failed)} (${percentText(failureRate)})`

const columns: readonly Column<CellRow>[] = [
  { title: 'Network', cell: ({ network }) => network ?? 'unknown' },
  { title: 'Issuer country', cell: ({ country }) => country ?? 'unknown' },
  { title: 'Currency', cell: ({ currency }) => currency },
  { title: 'Approved', cell: ({ approved }) => countText(approved), end: true },
  { title: 'Declined', cell: ({ declined }) => countText(declined), end: true },
  { title: 'Rate', cell: ({ rate }) => (rate === null ? '—' : percentText(rate)), end: true },
]

interface OverrideDialogProps {
  readonly midId: string
  readonly override: Override
  readonly onDone: () => void
  readonly onClose: () => void
}

function OverrideDialog({ midId, override, onDone, onClose }: OverrideDialogProps): JSX.Element {
  const { title, text, done } = texts[override ?? 'null']
  return (
    <ConfirmDialog
      title={title}
      act={title}
      danger={override === 'open'}
      onClose={onClose}
      onConfirm={async () => {
        const result = await call('PUT /mids/:midId/health', { params: { midId }, body: { override } })
        if (result.ok) {
          toast(done)
          onDone()
        }
        return result
      }}
    >
      <p>{text}</p>
    </ConfirmDialog>
  )
}

const texts = {
  open: {
    title: 'Block payments',
    text: 'No new payments use this MID until they are allowed again. Captures and refunds of existing payments still work.',
    done: 'Payments to this MID are blocked.',
  },
  closed: {
    title: 'Ignore failures',
    text: 'Payments use this MID regardless of failures until the circuit breaker is reset.',
    done: 'Payments to this MID are allowed regardless of failures.',
  },
  null: {
    title: 'Reset',
    text: 'The circuit breaker closes and works automatically again: it opens when the acquirer fails too often.',
    done: 'The circuit breaker works automatically.',
  },
} as const
