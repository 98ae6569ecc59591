/** One dispute: its answer and deadline, and its evidence. */
import type { JSX } from 'preact'
import { disputeStages } from '#domain/dispute/dispute.ts'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { base64Of } from '../../kit/form/file-bytes.ts'
import { FileField } from '../../kit/form/file-field.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { may } from '../../session/session.ts'
import type { Dispute, DisputeDetails } from './dispute.ts'

interface DisputeDrawerProps {
  readonly dispute: Dispute
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function DisputeDrawer({ dispute, onChanged, onClose }: DisputeDrawerProps): JSX.Element {
  const params = { merchantId: dispute.merchantId, disputeId: dispute.id }
  const read = useReading('GET /merchants/:merchantId/disputes/:disputeId', { params })
  const changed = (): void => {
    read.reload()
    onChanged()
  }
  return (
    <Drawer title={`Dispute ${dispute.reference}`} onClose={onClose}>
      <ReadResult read={read} lines={5}>
        {(details) => (
          <>
            {may('payments.dispute') && <AnswerForm details={details} onDone={changed} />}
            <Evidence details={details} onDone={changed} />
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

const stages = disputeStages.map((value) => ({ value, text: value }))
const answers = [
  { value: '', text: 'No answer yet' },
  { value: 'accepted', text: 'Accepted' },
  { value: 'contested', text: 'Contested' },
] as const

function AnswerForm({ details, onDone }: PartProps): JSX.Element {
  const { merchantId, id, stage, answer, dueOn } = details
  const form = useForm({
    initial: { stage, answer: answer ?? ('' as const), dueOn: dueOn ?? '' },
    send: (values) =>
      call('PUT /merchants/:merchantId/disputes/:disputeId', {
        params: { merchantId, disputeId: id },
        body: {
          stage: values.stage,
          answer: values.answer === '' ? null : values.answer,
          dueOn: values.dueOn === '' ? null : values.dueOn,
        },
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
        hint="Won returns the amount to the merchant’s balance; won and lost are final."
        at={form.at('stage')}
      />
      <SelectField
        label="Answer"
        options={answers}
        hint="Contesting needs evidence, which is marked as sent."
        at={form.at('answer')}
      />
      <TextField label="Answer due" type="date" optional at={form.at('dueOn')} />
    </Form>
  )
}

function Evidence({ details, onDone }: PartProps): JSX.Element {
  const { merchantId, id, files } = details
  const download = async (fileId: string): Promise<void> => {
    const params = { merchantId, disputeId: id, fileId }
    const result = await call('GET /merchants/:merchantId/disputes/:disputeId/files/:fileId', { params })
    if (!result.ok) return toastFault(result.fault)
    const { name, type, content } = result.value
    const link = document.createElement('a')
    link.href = `data:${type};base64,${content}`
    link.download = name
    link.click()
  }
  return (
    <Section title="Evidence">
      <ul class="offending">
        {files.map((file) => (
          <li key={file.id}>
            {file.name}, <DateTime at={file.addedAt} />
            {file.sentAt !== null && ', sent'}{' '}
            {may('payments.dispute') && (
              <Button small onClick={() => void download(file.id)}>
                Download
              </Button>
            )}
          </li>
        ))}
      </ul>
      {may('payments.dispute') && <EvidenceForm details={details} onDone={onDone} />}
    </Section>
  )
}

function EvidenceForm({ details: { merchantId, id }, onDone }: PartProps): JSX.Element {
  const form = useForm<{ readonly file: File | null }, unknown>({
    initial: { file: null },
    check: ({ file }) => ({ file: file === null || file.size === 0 ? 'Select a file.' : null }),
    paths: { file: 'content' },
    send: async ({ file }) =>
      call('POST /merchants/:merchantId/disputes/:disputeId/files', {
        params: { merchantId, disputeId: id },
        body: { name: file?.name ?? '', content: file === null ? '' : await base64Of(file) },
      }),
    onDone: () => {
      toast('Evidence added.')
      onDone()
    },
    guards: false,
  })
  return (
    <Form form={form} act="Add evidence">
      <FileField
        label="File"
        accept=".pdf,.png,.jpg,.jpeg"
        hint="PDF, PNG or JPEG of up to 5 MB."
        at={form.at('file')}
      />
    </Form>
  )
}
