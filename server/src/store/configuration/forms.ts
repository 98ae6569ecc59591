/** Merchants' own forms, on PostgreSQL. Chapter 30 §9.4. */
import { columnsOf } from '../database/columns.ts'
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'

const formStates = ['draft', 'in review', 'approved', 'withdrawn'] as const
export type FormState = (typeof formStates)[number]

export interface FormRecord {
  readonly id: string
  readonly merchantId: string
  /** The `form_id` of a session. */
  readonly formId: string
  readonly version: number
  readonly state: FormState
  readonly template: string
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  readonly uploadedAt: Date
  readonly changedAt: Date
  readonly changedBy: string
  /** When it was last approved for payers; null for a version that was never approved. */
  readonly approvedAt: Date | null
}

export interface FormFile {
  readonly path: string
  readonly content: Buffer
}

interface Forms {
  /** The version that payers see; null if none is approved. */
  findApproved(merchantId: string, formId: string): Promise<FormRecord | null>
  /** Only files of an approved form. */
  findFile(form: string, path: string): Promise<Buffer | null>
  find(id: string): Promise<FormRecord | null>
  /** Newest versions first. */
  list(merchantId: string | null): Promise<readonly FormRecord[]>
  listFiles(form: string): Promise<readonly FormFile[]>
  /** Adds the next version of the form and returns its number. */
  add(form: Omit<FormRecord, 'version'>, files: readonly FormFile[]): Promise<number>
  /** False if the form has left the state that was read. An approval withdraws the previously approved version. */
  move(form: FormRecord, move: FormMove): Promise<boolean>
}

interface FormMove {
  /** The state that the form changes to. */
  readonly state: FormState
  readonly sources: Sources
  readonly by: string
  readonly at: Date
}

export type Sources = Pick<FormRecord, 'scripts' | 'styles'>

interface FormRow {
  id: string
  merchant_id: string
  form_id: string
  version: number
  state: FormState
  template: string
  scripts: string[]
  styles: string[]
  uploaded_at: Date
  changed_at: Date
  changed_by: string
  approved_at: Date | null
}

// biome-ignore format: a list of names.
const formColumns = columnsOf<FormRow>()([
  'id', 'merchant_id', 'form_id', 'version', 'state', 'template', 'scripts', 'styles', 'uploaded_at', 'changed_at',
  'changed_by', 'approved_at',
])

const approvedForm = sql<FormRow, readonly [string, string]>(
  'form.approved',
  `select ${formColumns()} from sdk_forms where merchant_id = $1 and form_id = $2 and state = 'approved'`,
)

const approvedFile = sql<{ content: Buffer }, readonly [string, string]>(
  'form.file',
  `select content from sdk_form_files join sdk_forms on sdk_forms.id = form
   where form = $1 and path = $2 and state = 'approved'`,
)

const findForm = sql<FormRow, readonly [string]>('form.find', `select ${formColumns()} from sdk_forms where id = $1`)

const listForms = sql<FormRow, readonly [string | null]>(
  'form.list',
  `select ${formColumns()} from sdk_forms where merchant_id = $1 or $1::uuid is null order by merchant_id, form_id, version desc`,
)

const listFiles = sql<FormFile, readonly [string]>(
  'form.files',
  'select path, content from sdk_form_files where form = $1 order by path',
)

const addForm = sql<
  { version: number },
  readonly [string, string, string, FormState, string, Date, string, readonly string[], readonly Buffer[]]
>(
  'form.add',
  `with added as (
     insert into sdk_forms (id, merchant_id, form_id, version, state, template, uploaded_at, changed_at, changed_by)
     values ($1, $2, $3, 1 + coalesce((select max(version) from sdk_forms where merchant_id = $2 and form_id = $3), 0),
             $4, $5, $6, $6, $7)
     returning id, version
   ), kept as (
     insert into sdk_form_files (form, path, content)
     select added.id, given.path, given.content from added, unnest($8::text[], $9::bytea[]) as given (path, content)
   )
   select version from added`,
)

const withdrawShown = sql<{ id: string }, readonly [string, string, string, Date, string]>(
  'form.withdraw-shown',
  `update sdk_forms set state = 'withdrawn', changed_at = $4, changed_by = $5
   where merchant_id = $1 and form_id = $2 and state = 'approved' and id <> $3
   returning id`,
)

const moveForm = sql<
  { id: string },
  readonly [string, FormState, FormState, readonly string[], readonly string[], Date, string]
>(
  'form.move',
  `update sdk_forms set state = $3, scripts = $4, styles = $5, changed_at = $6, changed_by = $7,
     approved_at = case when $3 = 'approved' then $6 else approved_at end
   where id = $1 and state = $2
   returning id`,
)

export function formStore(pool: Queryable): Forms {
  return {
    findApproved: async (merchantId, formId) => first(await query(pool, approvedForm, [merchantId, formId])),
    findFile: async (form, path) => (await query(pool, approvedFile, [form, path]))[0]?.content ?? null,
    find: async (id) => first(await query(pool, findForm, [id])),
    list: async (merchantId) => (await query(pool, listForms, [merchantId])).map(formFrom),
    listFiles: (form) => query(pool, listFiles, [form]),
    add: async (form, files) => {
      const { id, merchantId, formId, state, template, uploadedAt, changedBy } = form
      const paths = files.map(({ path }) => path)
      const contents = files.map(({ content }) => content)
      const values = [id, merchantId, formId, state, template, uploadedAt, changedBy, paths, contents] as const
      const [added] = await query(pool, addForm, values)
      if (!added) throw new Error('A form was added and has no version.')
      return added.version
    },
    move: (form, move) =>
      inTransaction(pool, (client) => moveTo(client, form, move)).catch((error: unknown) => {
        if (error instanceof OvertakenError) return false
        throw error
      }),
  }
}

/** Another person moved the form first. Thrown to roll back what this move has written. */
class OvertakenError extends Error {
  override readonly name = 'Overtaken'
}

async function moveTo(
  client: PoolClient,
  { id, merchantId, formId, state: before }: FormRecord,
  { state, sources: { scripts, styles }, by, at }: FormMove,
): Promise<true> {
  // The index allows one approved version, so the previous one is withdrawn first.
  if (state === 'approved') await query(client, withdrawShown, [merchantId, formId, id, at, by])
  const [found] = await query(client, moveForm, [id, before, state, scripts, styles, at, by])
  if (!found) throw new OvertakenError()
  return true
}

const first = ([row]: readonly FormRow[]): FormRecord | null => (row ? formFrom(row) : null)

const formFrom = (row: FormRow): FormRecord => ({
  id: row.id,
  merchantId: row.merchant_id,
  formId: row.form_id,
  version: row.version,
  state: row.state,
  template: row.template,
  scripts: row.scripts,
  styles: row.styles,
  uploadedAt: row.uploaded_at,
  changedAt: row.changed_at,
  changedBy: row.changed_by,
  approvedAt: row.approved_at,
})
