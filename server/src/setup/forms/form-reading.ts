/** What a reviewer reads before an approval, at the panel and on the command line, and whether a form is still what was read. */
import { type FormRecord, formStore } from '../../store/configuration/forms.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { contentDigest, type FormContent, type ReviewedFile, readCode } from './form-code.ts'

export interface FormReading {
  /** Covers the whole content; an approval names it. */
  readonly digest: string
  /** The version that was approved last. */
  readonly against: Pick<FormRecord, 'version' | 'approvedAt'> | null
  readonly files: readonly ReviewedFile[]
}

export async function readForm(pool: Queryable, form: FormRecord): Promise<FormReading> {
  const former = await findApprovedBefore(pool, form)
  const [content, before] = await Promise.all([readContent(pool, form), former && readContent(pool, former)])
  return {
    digest: contentDigest(content),
    against: former && { version: former.version, approvedAt: former.approvedAt },
    files: readCode(content, before),
  }
}

export const hasDigest = async (pool: Queryable, form: FormRecord, digest: string): Promise<boolean> =>
  contentDigest(await readContent(pool, form)) === digest

async function findApprovedBefore(pool: Queryable, { id, merchantId, formId }: FormRecord): Promise<FormRecord | null> {
  const others = (await formStore(pool).list(merchantId)).filter((form) => form.formId === formId && form.id !== id)
  const timeOf = ({ approvedAt }: FormRecord): number => approvedAt?.getTime() ?? 0
  const [last] = others.filter(({ approvedAt }) => approvedAt !== null).sort((one, two) => timeOf(two) - timeOf(one))
  return last ?? null
}

const readContent = async (pool: Queryable, { id, template }: FormRecord): Promise<FormContent> => ({
  template,
  files: await formStore(pool).listFiles(id),
})
