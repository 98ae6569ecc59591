/** The payments of the last days that these rules would have routed differently. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { limits } from '#domain/limits.ts'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { DataTable, pageOfRows } from '../../../kit/data-table.tsx'
import { FaultView } from '../../../kit/fault-view.tsx'
import { FieldRow, SelectField, TextField } from '../../../kit/form/fields.tsx'
import { useFilters } from '../../../kit/form/use-filters.ts'
import { Progress } from '../../../kit/progress.tsx'
import { Notice } from '../../../kit/states.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { Money } from '../../../kit/values/money.tsx'
import { Link } from '../../../router/link.tsx'
import type { DraftRule } from '../rule/draft-rule.ts'
import { actionTotals, effectTitle, withEffect } from './replay-actions.ts'
import { movesOf } from './replay-totals.ts'
import { type Replay, type ReroutedPayment, useReplay } from './use-replay.ts'

interface ReplayPanelProps {
  readonly ruleSet: string
  readonly rules: readonly DraftRule[]
}

export function ReplayPanel({ ruleSet, rules }: ReplayPanelProps): JSX.Element {
  const filters = useFilters(['days', 'lists'], { days: '7', lists: 'then' })
  const [replay, { run, cancel }] = useReplay()
  const error = useSignal<string | null>(null)
  const isRunning = replay.state === 'running'
  const begin = (): void => {
    const days = Number(filters.values.days)
    const isGood = Number.isInteger(days) && days >= 1 && days <= limits.routing.replayDays
    error.value = isGood ? null : `Enter 1 to ${limits.routing.replayDays} days.`
    if (isGood && !isRunning) void run({ ruleSet, rules, days, lists: filters.values.lists === 'now' ? 'now' : 'then' })
  }
  return (
    <>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          begin()
        }}
      >
        <FieldRow>
          <TextField
            label="Days"
            hint="Evaluates stored payments with the rules as shown here, saved or not. Nothing is changed."
            inputMode="numeric"
            at={{
              id: 'replay-days',
              value: filters.values.days,
              error: error.value,
              set: (days) => filters.set({ days }),
            }}
          />
          <SelectField
            label="Risk lists"
            options={listChoices}
            at={{
              id: 'replay-lists',
              value: filters.values.lists,
              error: null,
              set: (lists) => filters.set({ lists }),
            }}
          />
        </FieldRow>
        <div>
          <Button type="submit" busy={isRunning}>
            Replay
          </Button>
        </div>
      </form>
      {isRunning && <Progress label="Replaying" done={replay.examined} total={replay.total} onCancel={cancel} />}
      {replay.fault && <FaultView fault={replay.fault} onRetry={begin} />}
      {replay.state !== 'idle' && !isRunning && replay.fault === null && <Outcome replay={replay} />}
      <ActionTotals changed={replay.changed} />
      <Totals changed={replay.changed} />
      <ChangedList changed={replay.changed} />
    </>
  )
}

const listChoices = [
  { value: 'then', text: 'As they were at each payment' },
  { value: 'now', text: 'As they are now' },
]

const listText = (lists: 'then' | 'now'): string =>
  lists === 'now'
    ? 'Risk lists are those of now.'
    : 'Risk lists are those of the time of each payment; entries that were removed since are not known.'

function Outcome({
  replay: { state, examined, changed, lists, countsVelocity },
}: {
  readonly replay: Replay
}): JSX.Element {
  const numbers = new Intl.NumberFormat()
  const anyway = changed.filter(({ byTheDraft }) => !byTheDraft).length
  const all = examined === 1 ? 'payment' : 'payments'
  return (
    <Notice tone={changed.length === 0 ? 'good' : 'info'}>
      <div role="status">
        <p>
          {state === 'cancelled' && 'Cancelled. '}
          {numbers.format(changed.length)} of {numbers.format(examined)} {all} would have a different result.
        </p>
        {anyway > 0 && (
          <p>
            {numbers.format(anyway)} of them also differ under the published rules: something else has changed since
            then.
          </p>
        )}
        {lists !== null && <p>{listText(lists)}</p>}
        {countsVelocity && (
          <p>Velocity is counted from stored payments; requests that were refused are not among them.</p>
        )}
      </div>
    </Notice>
  )
}

function ActionTotals({ changed }: { readonly changed: readonly ReroutedPayment[] }): JSX.Element | null {
  if (changed.length === 0) return null
  return (
    <DataTable
      caption="Totals by action"
      list={pageOfRows(actionTotals(changed))}
      keyOf={({ title }) => title}
      columns={[
        { title: 'Action', cell: ({ title }) => title },
        { title: 'Payments', end: true, cell: ({ payments }) => new Intl.NumberFormat().format(payments) },
      ]}
      empty={null}
    />
  )
}

/** Shown above the single payments, because a rule is judged by what it moves altogether. */
function Totals({ changed }: { readonly changed: readonly ReroutedPayment[] }): JSX.Element | null {
  const moved = changed.filter(isMoved)
  if (moved.length === 0) return null
  return (
    <DataTable
      caption="Totals by MID"
      list={pageOfRows(movesOf(moved))}
      keyOf={({ from, to }) => `${from} ${to}`}
      columns={[
        { title: 'From', cell: ({ from }) => from },
        { title: 'To', cell: ({ to }) => to },
        { title: 'Payments', end: true, cell: ({ payments }) => new Intl.NumberFormat().format(payments) },
        {
          title: 'Amount',
          end: true,
          cell: ({ amounts }) =>
            amounts.map(({ currency, minor }) => (
              <div key={currency}>
                <Money minor={minor} currency={currency} />
              </div>
            )),
        },
      ]}
      empty={null}
    />
  )
}

/** Goes to another MID, or to none. */
const isMoved = ({ result, wentTo, wouldGoTo }: ReroutedPayment): boolean => result !== 'routed' || wentTo !== wouldGoTo

const pageSize = 25

function ChangedList({ changed }: { readonly changed: readonly ReroutedPayment[] }): JSX.Element | null {
  const shown = useSignal(pageSize)
  const action = useSignal('')
  if (changed.length === 0) return null
  const totals = actionTotals(changed)
  const chosen = withEffect(changed, action.value)
  return (
    <>
      {totals.length > 1 && (
        <SelectField
          label="Show payments with"
          options={[{ value: '', text: 'Any change' }, ...totals.map(({ title }) => ({ value: title, text: title }))]}
          at={{
            id: 'replay-action',
            value: action.value,
            error: null,
            set: (title) => {
              action.value = title
            },
          }}
        />
      )}
      <ul class="replayed" aria-label="Payments with a different result">
        {chosen.slice(0, shown.value).map((one) => (
          <ChangedItem key={one.paymentId} {...one} />
        ))}
      </ul>
      {chosen.length > shown.value && (
        <div>
          <Button
            onClick={() => {
              shown.value += pageSize
            }}
          >
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

const ChangedItem = (one: ReroutedPayment): JSX.Element => (
  <li>
    <p class="replayed-head">
      <Link to={`/merchants/${one.merchantId}/payments/${one.paymentId}`}>{one.orderId}</Link>
      <Money minor={one.amountMinor} currency={one.currency} />
    </p>
    <p>
      <span class="mono">{one.wentTo ?? 'no MID'}</span>
      {isMoved(one) && (
        <>
          {' → '}
          <Destination {...one} />
        </>
      )}
      {!one.byTheDraft && <span class="faint"> also under the published rules</span>}
    </p>
    <p>
      {one.effects.map((effect) => (
        <Badge key={effectTitle(effect)} tone={effect.applies ? 'warn' : 'plain'}>
          {effectTitle(effect)}
        </Badge>
      ))}
    </p>
    <p class="faint">
      <DateTime at={one.createdAt} /> · {one.status}
    </p>
    <details>
      <summary>Why</summary>
      <ol class="explanation-list">
        {one.sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
    </details>
  </li>
)

function Destination({ result, wouldGoTo }: ReroutedPayment): JSX.Element {
  if (result === 'routed' && wouldGoTo !== null) return <span class="mono">{wouldGoTo}</span>
  return <Badge tone="bad">{result}</Badge>
}
