/** Merchants' own forms at the panel: uploaded by the merchant's users, approved by the operator's. Chapter 30 §9.4. */
import { z } from 'zod'
import { type FormReading, hasDigest, readForm } from '../../setup/forms/form-reading.ts'
import { type Review, reviewForm } from '../../setup/forms/form-review.ts'
import { type FormContext, type FormResult, type FormUpload, moveForm, uploadForm } from '../../setup/forms/forms.ts'
import { type FormRecord, type FormState, formStore } from '../../store/configuration/forms.ts'
import { listAuditPage } from '../../store/people/audit-log.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { readSecondPersons } from '../approvals/second-person.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

/** Forms of one merchant, or of all that the caller sees. */
export async function listFormsFor(
  context: PanelContext,
  grant: Grant,
  merchantId: string | null,
): Promise<readonly FormRecord[]> {
  const forms = await formStore(context.pool).list(merchantId)
  return forms.filter((form) => reaches(grant, form.merchantId))
}

/** A form of another merchant is answered like one that does not exist. */
export async function requireForm({ pool }: PanelContext, merchantId: string, id: string): Promise<FormRecord> {
  const form = await formStore(pool).find(id)
  if (form?.merchantId !== merchantId) throw notFound()
  return form
}

export async function listFormFiles({ pool }: PanelContext, form: FormRecord) {
  const files = await formStore(pool).listFiles(form.id)
  return files.map(({ path, content }) => ({ path, bytes: content.length }))
}

export const readFormCode = ({ pool }: PanelContext, form: FormRecord): Promise<FormReading> => readForm(pool, form)

/** Only the version that was shown can be approved. */
export async function requireDigest({ pool }: PanelContext, form: FormRecord, digest: string): Promise<void> {
  if (await hasDigest(pool, form, digest)) return
  const message = 'The form has changed since you opened it. Review it again before you approve it.'
  throw new AdminRefused('conflict', { message })
}

/** Why a user does not approve a form: the user uploaded it, or may control the account that did. Null if the user may. */
export async function findReviewObstacle(
  context: PanelContext,
  { id, merchantId, changedBy }: FormRecord,
  reviewer: UserRow,
): Promise<string | null> {
  const filter = { action: 'form.upload', subject: `form ${id}`, merchantIds: [merchantId] }
  const [upload] = await listAuditPage(context.pool, filter, null, 1)
  const uploader = await userStore(context.pool).findByEmail(upload?.actor ?? changedBy)
  // The command line.
  if (uploader === null) return null
  if (uploader.id === reviewer.id)
    return 'You uploaded this form, so another user approves it. Without one, use the command line: gatehouse form approve.'
  return (await readSecondPersons(context)).findObstacle(uploader.id, reviewer.id)?.text ?? null
}

export async function requireOtherReviewer(context: PanelContext, form: FormRecord, reviewer: UserRow): Promise<void> {
  const message = await findReviewObstacle(context, form, reviewer)
  if (message !== null) throw new AdminRefused('forbidden', { message })
}

/** Lists what the review would find in the form as it is. */
export function findingsOf({ template }: FormRecord) {
  const review: Review = reviewForm(template)
  return review.ok ? { faults: [], ...review.sources } : { faults: review.faults, scripts: [], styles: [] }
}

const returnBody = z.object({ reason: z.string() })

/** Why a form was returned to draft. The reason is stored in the audit log, and the merchant must see it. */
export async function findReturn({ pool }: PanelContext, { id, merchantId, state }: FormRecord) {
  if (state !== 'draft') return null
  const filter = { action: 'form.move', subject: `form ${id}`, merchantIds: [merchantId] }
  const [last] = await listAuditPage(pool, filter, null, 1)
  const { success, data } = returnBody.safeParse(JSON.parse(last?.after ?? 'null'))
  return last && success ? { reason: data.reason, at: last.at, by: last.actor } : null
}

interface FormChange {
  readonly form: FormRecord
  readonly audit: AuditNote
}

export async function addForm(
  context: PanelContext,
  by: string,
  upload: Omit<FormUpload, 'baseUrl'>,
): Promise<FormChange> {
  const baseUrl = context.publicUrl()
  const form = requireAccepted(await uploadForm(formContext(context, by), { ...upload, baseUrl }), 'archive')
  const { formId, version } = form
  return { form, audit: { ...formAudit('form.upload', form), after: { formId, version } } }
}

/** Draft, review and withdrawal are up to the merchant; the operator decides what may run in payers' browsers. */
export async function changeForm(
  context: PanelContext,
  by: string,
  form: FormRecord,
  { state, reason }: { readonly state: FormState; readonly reason?: string | undefined },
): Promise<FormChange> {
  const after = requireAccepted(await moveForm(formContext(context, by), form, state), 'state')
  const noted = { state, ...(reason === undefined ? {} : { reason }) }
  return { form: after, audit: { ...formAudit('form.move', form), before: { state: form.state }, after: noted } }
}

const formContext = (context: PanelContext, by: string): FormContext => ({ ...context, by })

function requireAccepted(result: FormResult, field: string): FormRecord {
  if (result.ok) return result.form
  throw new AdminRefused('invalid', { fields: result.faults.map((text) => ({ field, text })) })
}

export const formAudit = (action: string, { id, merchantId }: Pick<FormRecord, 'id' | 'merchantId'>) => ({
  action,
  subject: `form ${id}`,
  merchantId,
})
