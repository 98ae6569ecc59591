/** One dispute: its deadline, its evidence, its answer and what was sent. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { choosableStages, disputeStages, isClosed } from '#domain/dispute/dispute.ts'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'
import { AnswerDialog } from './answer-dialog.tsx'
import { DecisionSection } from './decision-section.tsx'
import { answerText, type Dispute, type DisputeDetails, stageTexts } from './dispute.ts'
import { DisputeFacts } from './dispute-facts.tsx'
import { Evidence } from './evidence.tsx'
import { SentAnswers } from './sent-answers.tsx'

interface DisputeDrawerProps {
  readonly dispute: Dispute
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function DisputeDrawer({ dispute, onChanged, onClose }: DisputeDrawerProps): JSX.Element {
  const params = { merchantId: dispute.merchantId, disputeId: dispute.id }
  const read = useReading('GET /merchants/:merchantId/disputes/:disputeId', { params })
  const noteChange = (): void => {
    read.reload()
    onChanged()
  }
  return (
    <Drawer title={`Dispute ${dispute.reference}`} onClose={onClose}>
      <ReadResult read={read} lines={5}>
        {(details) => (
          <>
            <DisputeFacts details={details} />
            {may('payments.dispute') && <RecordForm details={details} onDone={noteChange} />}
            <Evidence details={details} onDone={noteChange} />
            {may('payments.dispute') && !isClosed(details.stage) && (
              <AnswerSection details={details} onDone={noteChange} />
            )}
            {may('payments.decide') && details.isChargedBack && !isClosed(details.stage) && (
              <DecisionSection details={details} onDone={noteChange} />
            )}
            <SentAnswers details={details} onDone={noteChange} />
          </>
        )}
      </ReadResult>
    </Drawer>
  )
}

interface PartProps {
  readonly details: DisputeDetails
  readonly onDone: () => void
}

function RecordForm({ details, onDone }: PartProps): JSX.Element {
  const { merchantId, id, stage, isChargedBack, answer, dueOn } = details
  const choosable = disputeStages.filter((one) => one === stage || choosableStages(isChargedBack).includes(one))
  const stages = choosable.map((value) => ({ value, text: stageTexts[value][0] }))
  const form = useForm({
    initial: { stage, dueOn: dueOn ?? '' },
    send: (values) =>
      call('PUT /merchants/:merchantId/disputes/:disputeId', {
        params: { merchantId, disputeId: id },
        body: { stage: values.stage, answer, dueOn: values.dueOn === '' ? null : values.dueOn },
      }),
    onDone: () => {
      toast('Dispute saved.')
      onDone()
    },
    guards: false,
  })
  return (
    <Form form={form} act="Save">
      <SelectField
        label="Stage"
        options={stages}
        hint={
          isChargedBack
            ? 'Won and lost are decided by the acquirer, or by two people below.'
            : 'No money was taken. The chargeback, if it follows, continues this dispute.'
        }
        at={form.at('stage')}
      />
      <TextField label="Answer due" type="date" optional at={form.at('dueOn')} />
    </Form>
  )
}

/** Says where an answer goes before it is given. An answer that was only recorded can be withdrawn. */
function AnswerSection({ details, onDone }: PartProps): JSX.Element {
  const { merchantId, id, stage, answer, dueOn, acquirer, isSent, answers } = details
  const open = useSignal<'accepted' | 'contested' | null>(null)
  const isRecorded = answer !== null && !answers.some(({ way, state }) => way === 'acquirer' && state !== 'refused')
  const withdraw = async (): Promise<void> => {
    const params = { merchantId, disputeId: id }
    const result = await call('PUT /merchants/:merchantId/disputes/:disputeId', {
      params,
      body: { stage, answer: null, dueOn },
    })
    if (!result.ok) return toastFault(result.fault)
    toast('Answer withdrawn.')
    onDone()
  }
  return (
    <Section title="Answer">
      <p>{answer === null ? explainUnanswered(acquirer, isSent) : `${answerText(answer)}.`}</p>
      <div class="form-actions">
        {answer === null &&
          (['contested', 'accepted'] as const).map((one) => (
            <Button
              key={one}
              kind={one === 'contested' ? 'primary' : 'plain'}
              onClick={() => {
                open.value = one
              }}
            >
              {one === 'contested' ? 'Contest' : 'Accept'}
            </Button>
          ))}
        {isRecorded && <Button onClick={() => void withdraw()}>Withdraw the answer</Button>}
      </div>
      {open.value !== null && (
        <AnswerDialog
          details={details}
          answer={open.value}
          onDone={onDone}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </Section>
  )
}

const explainUnanswered = (acquirer: string, isSent: boolean): string =>
  isSent
    ? `Your answer is sent to ${acquirer}, with the evidence.`
    : `${acquirer} does not accept answers by API. Download the bundle and upload it in the acquirer’s portal.`
