/** Merchants' own forms at the panel: uploaded by the merchant's people, approved by the operator's. Chapter 30 §9.4. */
import { z } from 'zod'
import { type FormReading, isWhatWasRead, readForm } from '../../setup/forms/form-reading.ts'
import { type Review, reviewForm } from '../../setup/forms/form-review.ts'
import { type FormOffice, type FormResult, moveForm, uploadForm } from '../../setup/forms/forms.ts'
import { type FormRecord, type FormState, formStore } from '../../store/configuration/forms.ts'
import { auditPage } from '../../store/people/audit-log.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Panel } from '../panel.ts'

/** Of one merchant, or of all that the caller sees. */
export async function formsFor(panel: Panel, grant: Grant, merchantId: string | null): Promise<readonly FormRecord[]> {
  const forms = await formStore(panel.pool).list(merchantId)
  return forms.filter((form) => reaches(grant, form.merchantId))
}

/** One of another merchant is answered like one that does not exist. */
export async function formOf({ pool }: Panel, merchantId: string, id: string): Promise<FormRecord> {
  const form = await formStore(pool).find(id)
  if (form?.merchantId !== merchantId) throw notFound()
  return form
}

export async function formFiles({ pool }: Panel, form: FormRecord) {
  const files = await formStore(pool).files(form.id)
  return files.map(({ path, content }) => ({ path, bytes: content.length }))
}

export const formCode = ({ pool }: Panel, form: FormRecord): Promise<FormReading> => readForm(pool, form)

/** Only what was shown is approved. */
export async function requireDigest({ pool }: Panel, form: FormRecord, digest: string): Promise<void> {
  if (await isWhatWasRead(pool, form, digest)) return
  const message = 'The form has changed since you opened it. Review it again before you approve it.'
  throw new AdminRefused('conflict', { message })
}

/** What an approval would say of the form as it is. */
export function findingsOf({ template }: FormRecord) {
  const review: Review = reviewForm(template)
  return review.ok ? { faults: [], ...review.sources } : { faults: review.faults, scripts: [], styles: [] }
}

const returned = z.object({ reason: z.string() })

/** Why a form that is a draft again was given back; the audit log keeps it, and its merchant has to know. */
export async function returnOf({ pool }: Panel, { id, merchantId, state }: FormRecord) {
  if (state !== 'draft') return null
  const filter = { action: 'form.move', subject: `form ${id}`, merchantIds: [merchantId] }
  const [last] = await auditPage(pool, filter, null, 1)
  const { success, data } = returned.safeParse(JSON.parse(last?.after ?? 'null'))
  return last && success ? { reason: data.reason, at: last.at, by: last.actor } : null
}

interface Moved {
  readonly form: FormRecord
  readonly audit: AuditNote
}

export async function addForm(
  panel: Panel,
  by: string,
  upload: { readonly merchantId: string; readonly formId: string; readonly archive: Buffer },
): Promise<Moved> {
  const form = taken(await uploadForm(officeOf(panel, by), upload), 'archive')
  const { formId, version } = form
  return { form, audit: { ...about('form.upload', form), after: { formId, version } } }
}

/** Draft, review and withdrawal are the merchant's own; what may run in payers' browsers the operator decides. */
export async function changeForm(
  panel: Panel,
  by: string,
  form: FormRecord,
  { state, reason }: { readonly state: FormState; readonly reason?: string | undefined },
): Promise<Moved> {
  const after = taken(await moveForm(officeOf(panel, by), form, state), 'state')
  const noted = { state, ...(reason === undefined ? {} : { reason }) }
  return { form: after, audit: { ...about('form.move', form), before: { state: form.state }, after: noted } }
}

const officeOf = (panel: Panel, by: string): FormOffice => ({ ...panel, by })

function taken(result: FormResult, field: string): FormRecord {
  if (result.ok) return result.form
  throw new AdminRefused('invalid', { fields: result.faults.map((text) => ({ field, text })) })
}

export const about = (action: string, { id, merchantId }: Pick<FormRecord, 'id' | 'merchantId'>) => ({
  action,
  subject: `form ${id}`,
  merchantId,
})
