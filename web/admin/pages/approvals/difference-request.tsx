/** A difference of a settlement as the second person has to judge it: what was expected, what was reported, and whether the rest is booked. */
import type { JSX } from 'preact'
import { textAt } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Day } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'
import { DifferenceSum } from '../settlements/difference-sum.tsx'
import { type Difference, differenceTexts } from '../settlements/settlement.ts'
import type { Approval } from './approval.ts'
import { SubjectResult } from './subject-result.tsx'

export function DifferenceRequest({ approval: { request } }: { readonly approval: Approval }): JSX.Element {
  const params = { differenceId: textAt(request, 'differenceId') }
  const read = useReading('GET /settlements/differences/:differenceId', { params })
  return (
    <SubjectResult read={read} lines={5}>
      {(difference) => <Details of={difference} effect={effectOf(request)} />}
    </SubjectResult>
  )
}

function Details({ of, effect }: { readonly of: Difference; readonly effect: string }): JSX.Element {
  const { merchantId, paymentId } = of
  const sum = (minor: string | null) => (minor === null ? 'None' : <DifferenceSum of={of} minor={minor} />)
  return (
    <KeyValues
      rows={[
        ['Difference', <Link to={`/settlements?differenceId=${of.id}`}>{differenceTexts[of.kind] ?? of.kind}</Link>],
        ['MID', of.midName ?? of.midId],
        ['Day', <Day of={of.day} />],
        ['Expected', sum(of.oursMinor)],
        ['Reported', sum(of.theirsMinor)],
        of.payout !== null && ['Payout', of.payout],
        merchantId !== null &&
          paymentId !== null && [
            'Transaction',
            <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>View</Link>,
          ],
        ['Approval', effect],
      ]}
    />
  )
}

function effectOf(request: unknown): string {
  const chargeback = valueAt(request, 'chargeback')
  if (chargeback !== undefined) {
    const reasonCode = valueAt(chargeback, 'reasonCode')
    const effect = 'Records the chargeback: takes the amount from the merchant and opens the dispute'
    return typeof reasonCode === 'string' ? `${effect} (reason ${reasonCode})` : effect
  }
  return valueAt(request, 'correct') === true
    ? 'Posts the difference to the account of differences'
    : 'Closes the difference with the reason; nothing is posted'
}

const valueAt = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
