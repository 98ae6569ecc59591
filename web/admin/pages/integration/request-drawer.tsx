/** One refused request: its checks, the reason, and for a wrong hash the text that it should have covered. */
import type { JSX } from 'preact'
import { Badge } from '../../kit/badge.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'
import { type RefusedRequest, reasonsOf } from './refused-request.ts'

interface RequestDrawerProps {
  readonly request: RefusedRequest
  readonly merchant: string
  readonly onClose: () => void
}

export function RequestDrawer({ request, merchant, onClose }: RequestDrawerProps): JSX.Element {
  const { refusal, merchantId, paymentId } = request
  const step = request.checks.find(({ result }) => result === 'refused')?.step
  return (
    <Drawer title="Why the request was refused" onClose={onClose}>
      <KeyValues
        rows={[
          ['Merchant', merchant],
          ['Request', `${request.action ?? 'Unknown action'} ${request.protocol ?? ''}`],
          ['X-Request-Id', <Copyable text={request.requestId} label="Copy the request’s id" />],
          request.orderId !== null && ['Order', request.orderId],
          paymentId !== null && [
            'Payment',
            <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>
              <code>{paymentId}</code>
            </Link>,
          ],
          ['When', <DateTime at={request.at} seconds />],
          ['Answer', `HTTP ${refusal.http}, ${refusal.code} ${refusal.message}`],
        ]}
      />
      <Section title="Reason">
        {reasonsOf(refusal).map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </Section>
      {refusal.hash && <WrongHash hash={refusal.hash} isSignature={step === 'signature'} />}
      <DataTable
        caption="Checks"
        list={pageOfRows(request.checks)}
        keyOf={({ step }) => step}
        columns={[
          { title: 'Check', cell: ({ title }) => title },
          { title: 'Result', cell: ({ result }) => <Badge tone={tones[result]}>{result}</Badge>, whole: true },
        ]}
        empty={<Empty title="No checks." />}
      />
    </Drawer>
  )
}

const tones = { passed: 'good', refused: 'bad', 'not checked': 'plain' } as const

interface WrongHashProps {
  readonly hash: NonNullable<RefusedRequest['refusal']['hash']>
  readonly isSignature: boolean
}

/** Stars stand for the password, the card and the payer. */
const WrongHash = ({ hash, isSignature }: WrongHashProps): JSX.Element => (
  <Section title={isSignature ? 'What the signature should cover' : 'What the hash should cover'}>
    <KeyValues
      rows={[
        ['Formula', <code>{hash.formula}</code>],
        ...hash.values.map(({ name, value }) => [name, value ?? 'not sent'] as const),
        ['Text before the digest', <code>{hash.text}</code>],
        ['Probable mistake', hash.mistake ?? 'None of the usual ones. Compare the password and every value.'],
      ]}
    />
  </Section>
)
