/** Every transaction of the payment in order, with the acquirer's answers. */
import type { JSX } from 'preact'
import { entriesOf } from '../../../api/call.ts'
import { Status } from '../../../kit/badge.tsx'
import { Section } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { type KeyValue, KeyValues } from '../../../kit/values/key-values.tsx'
import { Money } from '../../../kit/values/money.tsx'
import { Link } from '../../../router/link.tsx'
import type { Details, Payment, Transaction } from '../details.ts'
import { factText } from '../fact-text.ts'
import { withMeaning } from './check-meaning.ts'
import { tookText } from './took.ts'

export function Timeline({ details: { payment, timeline } }: { readonly details: Details }): JSX.Element {
  return (
    <Section title="Timeline">
      {timeline.length === 0 ? (
        <Empty title="No requests to an acquirer.">
          <p>See the Routing tab for the reason.</p>
        </Empty>
      ) : (
        <ol class="timeline">
          {timeline.map((one) => (
            <Step key={one.id} transaction={one} payment={payment} />
          ))}
        </ol>
      )}
    </Section>
  )
}

interface StepProps {
  readonly transaction: Transaction
  readonly payment: Payment
}

function Step({ transaction, payment }: StepProps): JSX.Element {
  const { currency, amountDecimals } = payment
  const { type, state, amountMinor, createdAt, endedAt, asks, isUnresolved, declineReason, declineClass } = transaction
  return (
    <li>
      <div class="step-head">
        <h3>{type}</h3>
        <Status of={state} />
        <Money minor={amountMinor} currency={currency} decimals={amountDecimals} />
        <span class="step-time faint">
          <DateTime at={createdAt} seconds />
          {endedAt !== null && `, took ${tookText(createdAt, endedAt)}`}
        </span>
      </div>
      {declineReason !== null && (
        <p>
          {declineReason} <span class="faint">({declineClass ?? 'unknown'} decline)</span>
        </p>
      )}
      {isUnresolved && (
        <p>
          The outcome is unknown, and the acquirer is no longer queried. Decide it under{' '}
          <Link to="/unresolved">Unresolved</Link>.
        </p>
      )}
      {state === 'undefined' && !isUnresolved && (
        <p>The outcome is unknown. The acquirer is queried until it reports one, for a day at most.</p>
      )}
      {asks > 0 && <p class="faint">The acquirer was queried {asks === 1 ? 'once' : `${asks} times`}.</p>}
      <KeyValues rows={rowsOf(transaction, payment)} />
    </li>
  )
}

// biome-ignore format: a table is read in columns.
const names: Readonly<Record<string, string>> = {
  // member               title
  approvalCode:         'Approval code',
  arn:                  'ARN',
  rrn:                  'RRN',
  networkTransactionId: 'Network transaction id',
  descriptor:           'Descriptor',
  issuerCountry:        'Issuer’s country',
  issuerBank:           'Issuer',
  gatewayId:            'Gateway id',
  extraGatewayId:       'Second gateway id',
  avs_result:           'Address check',
  cvv_result:           'Security code check',
  decision:             'Decided by hand',
  approvalId:           'Approval',
  reason:               'Reason',
  evidence:             'Evidence',
  date:                 'Date at the acquirer',
}

const rowsOf = (
  { midName, midId, reference, creditvoidId, facts, id }: Transaction,
  payment: Payment,
): readonly KeyValue[] => [
  ['MID', midName ?? midId],
  ['Transaction', <code>{id}</code>],
  reference !== null && ['Acquirer’s reference', reference],
  creditvoidId !== null && ['creditvoid_id', <code>{creditvoidId}</code>],
  ...entriesOf(facts).flatMap(([name, value]): readonly KeyValue[] => factRows(name, value, payment)),
]

function factRows(name: string, value: unknown, payment: Payment): readonly KeyValue[] {
  // The reference has its own row.
  if (name === 'reference' || value === null) return []
  if (name === 'received' && typeof value === 'string') return [['Received', receivedAmount(value, payment)]]
  if (typeof value === 'string') return [[names[name] ?? name, withMeaning(name, value)]]
  if (typeof value !== 'object') return [[names[name] ?? name, factText(value)]]
  return entriesOf(value).flatMap(([member, one]) => factRows(member, one, payment))
}

const receivedAmount = (minor: string, { currency, amountDecimals }: Payment): JSX.Element => (
  <Money minor={minor} currency={currency} decimals={amountDecimals} />
)
