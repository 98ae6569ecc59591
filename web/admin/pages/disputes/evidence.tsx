/** The evidence of a dispute: its files, and all of them with a cover sheet. */
import type { JSX } from 'preact'
import { isClosed } from '#domain/dispute/dispute.ts'
import { type EvidenceKind, evidenceKinds, evidenceKindTitles, megabyte } from '#domain/dispute/evidence.ts'
import { evidenceHint } from '#domain/dispute/evidence-rules.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField } from '../../kit/form/fields.tsx'
import { readBase64 } from '../../kit/form/file-bytes.ts'
import { FileField } from '../../kit/form/file-field.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { saveBytes } from '../../kit/save-bytes.ts'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { may } from '../../session/session.ts'
import type { DisputeDetails } from './dispute.ts'

interface EvidenceProps {
  readonly details: DisputeDetails
  readonly onDone: () => void
}

export function Evidence({ details, onDone }: EvidenceProps): JSX.Element {
  const { merchantId, id, files, stage } = details
  const params = { merchantId, disputeId: id }
  const download = async (fileId: string): Promise<void> => {
    const result = await call('GET /merchants/:merchantId/disputes/:disputeId/files/:fileId', {
      params: { ...params, fileId },
    })
    if (!result.ok) return toastFault(result.fault)
    saveBytes(result.value, result.value.type)
  }
  const remove = async (fileId: string): Promise<void> => {
    const result = await call('DELETE /merchants/:merchantId/disputes/:disputeId/files/:fileId', {
      params: { ...params, fileId },
    })
    if (!result.ok) return toastFault(result.fault)
    toast('Evidence removed.')
    onDone()
  }
  const downloadAll = async (): Promise<void> => {
    const result = await call('GET /merchants/:merchantId/disputes/:disputeId/bundle', { params })
    if (!result.ok) return toastFault(result.fault)
    saveBytes(result.value, 'application/zip')
  }
  const mayChange = may('payments.dispute')
  return (
    <Section title="Evidence">
      {files.length === 0 && <p>No evidence yet.</p>}
      <ul class="offending">
        {files.map((file) => (
          <li key={file.id}>
            {file.name} ({evidenceKindTitles[file.kind]}), <DateTime at={file.addedAt} />
            {file.sentAt !== null && ', sent'}{' '}
            <Button small label={`Download ${file.name}`} onClick={() => void download(file.id)}>
              Download
            </Button>{' '}
            {mayChange && file.sentAt === null && !isClosed(stage) && (
              <Button small label={`Remove ${file.name}`} onClick={() => void remove(file.id)}>
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {files.length > 0 && <Button onClick={() => void downloadAll()}>Download the bundle</Button>}
      {mayChange && !isClosed(stage) && <EvidenceForm details={details} onDone={onDone} />}
    </Section>
  )
}

const kinds = evidenceKinds.map((value) => ({ value, text: evidenceKindTitles[value] }))

interface EvidenceValues {
  readonly file: File | null
  readonly kind: EvidenceKind
}

/** Before it is uploaded: of a file that no type allows, a person learns at once. */
function faultOf(file: File | null, { types }: DisputeDetails['taken']): string | null {
  if (file === null || file.size === 0) return 'Select a file.'
  const most = Math.max(...types.map(({ megabytes }) => megabytes))
  return file.size > most * megabyte ? `A file may have up to ${most} MB. Make it smaller.` : null
}

const noFile: EvidenceValues = { file: null, kind: 'other' }

function EvidenceForm({ details: { merchantId, id, taken }, onDone }: EvidenceProps): JSX.Element {
  const form = useForm<EvidenceValues, unknown>({
    initial: noFile,
    check: ({ file }) => ({ file: faultOf(file, taken) }),
    paths: { file: 'content' },
    send: async ({ file, kind }) =>
      call('POST /merchants/:merchantId/disputes/:disputeId/files', {
        params: { merchantId, disputeId: id },
        body: { name: file?.name ?? '', content: file === null ? '' : await readBase64(file), kind },
      }),
    onDone: () => {
      toast('Evidence added.')
      // The same file is not added twice by a second click.
      form.reset(noFile)
      onDone()
    },
    guards: false,
  })
  return (
    <Form form={form} act="Add evidence">
      <FileField
        label="File"
        accept={taken.types.map(({ type }) => type).join(',')}
        hint={evidenceHint(taken)}
        at={form.at('file')}
      />
      <SelectField label="Kind" options={kinds} hint="Choose what the file shows." at={form.at('kind')} />
    </Form>
  )
}
