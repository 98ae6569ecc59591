/** The SDK's sample form, approved for the first demo merchant, so that `form_id: "sample-form"` works at once. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { SetupContext } from '../setup/context.ts'
import { moveForm } from '../setup/forms/forms.ts'
import { type FormFile, formStore } from '../store/configuration/forms.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import { demoMerchants } from './demo-tables.ts'

const sampleFormId = 'sample-form'

const folder = fileURLToPath(new URL('../../../web/sdk/sample-form/', import.meta.url))

/** Once: later changes or withdrawals are the user's decision. */
export async function ensureDemoForm(context: SetupContext): Promise<void> {
  const { pool, clock, ids } = context
  const [first] = demoMerchants
  const merchant = (await merchantStore(pool).list()).find(({ name }) => name === first?.name)
  if (!merchant) return
  const forms = formStore(pool)
  if ((await forms.list(merchant.id)).some(({ formId }) => formId === sampleFormId)) return
  const now = clock.now()
  const form = {
    id: ids.next(),
    merchantId: merchant.id,
    formId: sampleFormId,
    state: 'draft' as const,
    template: await readFile(`${folder}index.html`, 'utf8'),
    scripts: [],
    styles: [],
    uploadedAt: now,
    changedAt: now,
    changedBy: 'demo',
    approvedAt: null,
  }
  const version = await forms.add(form, await readFiles(folder))
  await moveForm({ ...context, by: 'demo' }, { ...form, version }, 'approved')
}

async function readFiles(path: string): Promise<readonly FormFile[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  const inside = entries.filter((entry) => entry.isFile() && entry.name !== 'index.html')
  return Promise.all(
    inside.map(async ({ parentPath, name }) => {
      const file = `${parentPath}/${name}`
      return { path: file.slice(path.length).replace(/^\/+/, ''), content: await readFile(file) }
    }),
  )
}
