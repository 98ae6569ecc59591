/** What was sent when: every answer to a dispute, and what became of it. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Section } from '../../kit/page.tsx'
import type { Tone } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { may } from '../../session/session.ts'
import type { DisputeDetails } from './dispute.ts'

type Answer = DisputeDetails['answers'][number]

// biome-ignore format: a table is read in columns.
const states: Readonly<Record<Answer['state'], readonly [words: string, tone: Tone]>> = {
  waiting: [ 'to be sent',       'plain' ],
  sending: [ 'being sent',       'plain' ],
  taken:   [ 'received',         'good'  ],
  refused: [ 'rejected',         'bad'   ],
  unknown: [ 'receipt unknown',  'warn'  ],
}

interface SentAnswersProps {
  readonly details: DisputeDetails
  readonly onDone: () => void
}

export function SentAnswers({ details, onDone }: SentAnswersProps): JSX.Element | null {
  const { merchantId, id, answers, acquirer } = details
  if (answers.length === 0) return null
  const settle = async (hasArrived: boolean): Promise<void> => {
    const result = await call('PUT /merchants/:merchantId/disputes/:disputeId/answer', {
      params: { merchantId, disputeId: id },
      body: { hasArrived },
    })
    if (!result.ok) return toastFault(result.fault)
    toast('Recorded.')
    onDone()
  }
  const isUnknown = answers.some(({ state }) => state === 'unknown')
  return (
    <Section title="What was sent">
      <ul class="offending">
        {answers.map((one) => {
          const [words, tone] = one.way === 'hand' ? (['by hand', 'plain'] as const) : states[one.state]
          return (
            <li key={one.id}>
              {one.answer === 'accepted' ? 'Accepted' : 'Contested'} by {one.requestedBy},{' '}
              <DateTime at={one.sentAt ?? one.requestedAt} /> <Badge tone={tone}>{words}</Badge>
              {one.note !== null && <p class="hint">{one.note}</p>}
            </li>
          )
        })}
      </ul>
      {isUnknown && may('payments.dispute') && (
        <>
          <p>Check in the portal of {acquirer} whether the answer was received.</p>
          <div class="form-actions">
            <Button small onClick={() => void settle(true)}>
              Received
            </Button>
            <Button small onClick={() => void settle(false)}>
              Not received
            </Button>
          </div>
        </>
      )}
    </Section>
  )
}
