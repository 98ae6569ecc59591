/** One version of a form: its files, the findings of the review, and the decisions. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { Notice, ReadResult } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { may } from '../../session/session.ts'
import { FormActions } from './form-actions.tsx'
import { FormCode } from './form-code.tsx'
import type { FormView } from './form-view.ts'
import { policyText } from './form-words.ts'

interface FormDrawerProps {
  readonly place: { readonly id: string; readonly merchantId: string }
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function FormDrawer({ place: { id, merchantId }, onChanged, onClose }: FormDrawerProps): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/forms/:form', { params: { merchantId, form: id } })
  const code = useReading('GET /merchants/:merchantId/forms/:form/code', { params: { merchantId, form: id } })
  const noteChange = (): void => {
    read.reload()
    onChanged()
  }
  return (
    <Drawer title={read.value ? `Form ${read.value.form.formId}` : 'Form'} onClose={onClose}>
      <ReadResult read={read} lines={8}>
        {(view) => (
          <>
            <Facts view={view} />
            {view.returned && (
              <Notice tone="warn">
                <div>
                  <p>
                    Returned by {view.returned.by}, <DateTime at={view.returned.at} />:
                  </p>
                  <p>{view.returned.reason}</p>
                </div>
              </Notice>
            )}
            <Findings findings={view.findings} />
            <ReadResult read={code} lines={8}>
              {(shown) => <FormCode code={shown} />}
            </ReadResult>
            {view.obstacle !== null && may('forms.review') && view.form.state === 'in review' && (
              <Notice tone="info">{view.obstacle}</Notice>
            )}
            <FormActions view={view} digest={code.value?.digest ?? null} onChanged={noteChange} />
          </>
        )}
      </ReadResult>
    </Drawer>
  )
}

function Facts({ view: { form } }: { readonly view: FormView }): JSX.Element {
  const merchants = useMerchants()
  return (
    <KeyValues
      rows={[
        ['Merchant', merchants.title(form.merchantId)],
        ['Version', form.version],
        ['State', <Status of={form.state} />],
        ['Uploaded', <DateTime at={form.uploadedAt} />],
        ['Changed', <DateTime at={form.changedAt} />],
        ['Changed by', form.changedBy],
      ]}
    />
  )
}

/** What prevents the approval, and what code would run after it. */
const Findings = ({ findings }: { readonly findings: FormView['findings'] }): JSX.Element =>
  findings.faults.length > 0 ? (
    <Notice tone="bad">
      <div>
        <p>The form cannot be approved:</p>
        <ul class="bare">
          {findings.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      </div>
    </Notice>
  ) : (
    <Notice tone="info">
      <p>{policyText(findings)}</p>
    </Notice>
  )
