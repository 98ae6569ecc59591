/** Uploads a form as an archive, which becomes the next version of its name. */
import type { JSX } from 'preact'
import { limits } from '#domain/limits.ts'
import { type Answer, call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { readBase64 } from '../../kit/form/file-bytes.ts'
import { FileField } from '../../kit/form/file-field.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'

type UploadAnswer = Answer<'POST /merchants/:merchantId/forms'>

interface Values {
  readonly merchantId: string
  readonly formId: string
  readonly archive: File | null
}

interface UploadDialogProps {
  /** The preselected merchant; empty if there is none. */
  readonly merchantId: string
  readonly onDone: (form: UploadAnswer['form']) => void
  readonly onClose: () => void
}

export function UploadDialog({ merchantId, onDone, onClose }: UploadDialogProps): JSX.Element {
  const merchants = useMerchants()
  const only = merchants.list.length === 1 ? merchants.list[0]?.id : undefined
  const form = useForm<Values, UploadAnswer>({
    initial: { merchantId: merchantId || only || '', formId: '', archive: null },
    guards: false,
    check: faultsOf,
    send: async ({ merchantId: owner, formId, archive }) =>
      call('POST /merchants/:merchantId/forms', {
        params: { merchantId: owner },
        body: { formId: formId.trim(), archive: archive === null ? '' : await readBase64(archive) },
      }),
    onDone: ({ form: uploaded }) => {
      toast(
        `Version ${uploaded.version} of ${uploaded.formId} uploaded as a draft. Submit it for review when it is ready.`,
      )
      onDone(uploaded)
    },
  })
  return (
    <Dialog title="Upload form" onClose={onClose}>
      <Form form={form} act="Upload" onCancel={onClose}>
        <SelectField
          label="Merchant"
          at={form.at('merchantId')}
          options={[{ value: '', text: 'Select a merchant' }, ...merchants.choices]}
        />
        <TextField
          label="Name"
          mono
          maxLength={limits.length.formId}
          hint="The form_id used in sessions: letters, digits, hyphens and underscores. An existing name gets a new version."
          at={form.at('formId')}
        />
        <FileField
          label="Archive"
          accept=".zip,application/zip"
          hint={`A ZIP of up to ${limits.checkout.formBytes / 1024 / 1024} MiB: one .html or .html.twig file, and the folders img, style and js.`}
          at={form.at('archive')}
        />
      </Form>
    </Dialog>
  )
}

const faultsOf = ({ merchantId, formId, archive }: Values) => ({
  merchantId: merchantId === '' ? 'Select a merchant.' : null,
  formId: formId.trim() === '' ? 'Enter a name.' : null,
  archive: archiveFault(archive),
})

function archiveFault(archive: File | null): string | null {
  if (archive === null) return 'Select a ZIP file.'
  return archive.size > limits.checkout.formBytes ? 'The archive is too large.' : null
}
