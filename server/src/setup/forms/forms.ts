/** Merchants' own forms: uploaded, reviewed, approved, withdrawn. Chapter 30 §9.4. */
import { limits } from '#domain/limits.ts'
import type { Clock, Ids } from '../../contracts/ports.ts'
import { type FormRecord, type FormState, formStore } from '../../store/configuration/forms.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { readFormArchive } from './form-archive.ts'
import { reviewForm } from './form-review.ts'
import { withOwnScripts } from './own-scripts.ts'

export interface FormContext {
  readonly pool: Queryable
  readonly clock: Clock
  readonly ids: Ids
  /** Who acts, for the record. */
  readonly by: string
}

export interface FormUpload {
  readonly merchantId: string
  readonly formId: string
  readonly archive: Buffer
  /** The address of the service, under which a form may name the SDK's script. */
  readonly baseUrl: string
}

export type FormResult =
  | { readonly ok: true; readonly form: FormRecord }
  | { readonly ok: false; readonly faults: readonly string[] }

export async function uploadForm(
  { pool, clock, ids, by }: FormContext,
  { merchantId, formId, archive, baseUrl }: FormUpload,
): Promise<FormResult> {
  if (!/^[\w-]+$/.test(formId) || formId.length > limits.length.formId) {
    return refuse(`Use up to ${limits.length.formId} letters, digits, hyphens and underscores for the name.`)
  }
  const read = readFormArchive(archive)
  if (!read.ok) return refuse(...read.faults)
  const now = clock.now()
  const form: Omit<FormRecord, 'version'> = {
    id: ids.next(),
    merchantId,
    formId,
    state: 'draft',
    template: withOwnScripts(read.template, baseUrl),
    scripts: [],
    styles: [],
    uploadedAt: now,
    changedAt: now,
    changedBy: by,
    approvedAt: null,
  }
  return { ok: true, form: { ...form, version: await formStore(pool).add(form, read.files) } }
}

// biome-ignore format: a table is read in columns.
const moves: Readonly<Record<FormState, readonly FormState[]>> = {
  // from         may become
  'draft':     [ 'in review', 'approved', 'withdrawn' ],
  'in review': [ 'draft', 'approved', 'withdrawn' ],
  'approved':  [ 'withdrawn' ],
  'withdrawn': [ 'in review', 'approved' ],
}

/** The template is reviewed at every approval, because the approval decides what may run. */
export async function moveForm(
  { pool, clock, by }: FormContext,
  form: FormRecord,
  state: FormState,
): Promise<FormResult> {
  if (!moves[form.state].includes(state)) return refuse(`A form in state ${form.state} cannot change to ${state}.`)
  const review = state === 'approved' ? reviewForm(form.template) : null
  if (review && !review.ok) return refuse(...review.faults)
  const sources = review ? review.sources : { scripts: form.scripts, styles: form.styles }
  const at = clock.now()
  const isMoved = await formStore(pool).move(form, { state, sources, by, at })
  if (!isMoved) return refuse('Another user has changed the form. Reload it and try again.')
  const approvedAt = state === 'approved' ? at : form.approvedAt
  return { ok: true, form: { ...form, ...sources, state, changedAt: at, changedBy: by, approvedAt } }
}

const refuse = (...faults: readonly string[]): FormResult => ({ ok: false, faults })
