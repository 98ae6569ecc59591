/** Merchants' own forms, which replace the hosted page. Chapter 30 §9.4. */
import { formAudit } from '#server/panel/setup/forms.ts'
import { hasDigest, readForm } from '#server/setup/forms/form-reading.ts'
import { type FormResult, moveForm, uploadForm } from '#server/setup/forms/forms.ts'
import { type FormRecord, type FormState, formStore } from '#server/store/configuration/forms.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import type { Queryable } from '#server/store/database/pool.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { readBytes } from '../../kit/text-source.ts'
import { formPages } from './form-pages.ts'

const merchant = argument('MERCHANT', readers.nonEmpty)
const form = argument('FORM', readers.nonEmpty)
const digest = readers.textMatching(/^[0-9a-f]{64}$/, '64 hexadecimal digits, as printed by "form show"')
const version = text('NUMBER', 'Version; default: the newest.')

export const formCommands: readonly Command[] = [
  command({
    name: 'form list',
    summary: 'Lists the merchants’ forms, newest version first.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const names = new Map((await merchantStore(instance.pool).list()).map(({ id, name }) => [id, name]))
      const entries = (await formStore(instance.pool).list(null)).map((one) => entryOf(one, names))
      if (json) {
        printJson(context.output, entries)
        return
      }
      const headings = ['merchant', 'form', 'version', 'state', 'changed', 'by']
      context.output.out(
        table(
          headings,
          entries.map((entry) => Object.values(entry)),
        ),
      )
    },
  }),

  command({
    name: 'form upload',
    changes: true,
    summary: 'Adds a form, or a new version of it, as a draft.',
    details:
      'FILE is a ZIP archive with one .html or .html.twig file at the top level and the folders img, style and js; - reads standard input.',
    args: { merchant, form, file: argument('FILE', readers.nonEmpty) },
    options: {},
    examples: ['gatehouse form upload demo summer form.zip', 'gatehouse form show demo summer'],
    async run(context, args) {
      const archive = await readBytes(args.file, context)
      await using instance = await openInstance(context)
      const { baseUrl: setUrl, host, port } = instance.config
      const baseUrl = setUrl ?? `http://${host}:${port}`
      const added = await instance.change(async (change) => {
        const { id: merchantId } = await requireMerchant(change.pool, args.merchant)
        const {
          id,
          formId,
          version: number,
        } = requireSuccess(await uploadForm(change, { merchantId, formId: args.form, archive, baseUrl }))
        change.note({ ...formAudit('form.upload', { id, merchantId }), after: { formId, version: number } })
        return { formId, version: number }
      })
      context.output.out(`Version ${added.version} of the form "${added.formId}" is a draft.`)
    },
  }),

  command({
    name: 'form show',
    summary: 'Prints the code of a form, the changes since the approved version, and the digest to approve it with.',
    details: 'Invisible characters are printed as code points, such as ⟨U+202E⟩.',
    args: { merchant, form },
    options: {
      version,
      whole: flag('Prints every file in full, not only the changed lines.'),
      json: flag('Prints JSON.'),
    },
    examples: ['gatehouse form show demo summer | less'],
    async run(context, args, options) {
      await using instance = await openInstance(context)
      const found = await requireForm(instance.pool, args, options.version)
      const reading = await readForm(instance.pool, found)
      if (options.json === true) {
        printJson(context.output, { version: found.version, state: found.state, ...reading })
        return
      }
      const approval = `gatehouse form approve ${args.merchant} ${args.form} --version ${found.version} --digest ${reading.digest}`
      const whole = options.whole === true
      for (const line of formPages({ form: found, reading, whole, approval })) context.output.out(line)
    },
  }),

  stateCommand('submit', 'in review', 'Submits a form for review.'),
  command({
    name: 'form approve',
    changes: true,
    summary: 'Approves a form for payers. Only the inline code of the approved version may run.',
    details:
      'Read the form first with "form show", which prints the digest. The approval is refused if the content has changed since.',
    args: { merchant, form },
    options: { version, digest: value('DIGEST', 'The digest printed by "form show" (required).', digest) },
    async run(context, args, options) {
      if (options.digest === undefined)
        throw new CommandError(
          '--digest is missing.',
          `"gatehouse form show ${args.merchant} ${args.form}" prints the code and its digest. Then approve with --digest DIGEST.`,
        )
      const read = options.digest
      await using instance = await openInstance(context)
      const moved = await instance.change(async (change) => {
        const found = await requireForm(change.pool, args, options.version)
        if (!(await hasDigest(change.pool, found, read)))
          throw new CommandError(
            `The digest does not match version ${found.version} of the form "${found.formId}".`,
            `Read it with "gatehouse form show ${args.merchant} ${args.form} --version ${found.version}". Nothing was changed.`,
          )
        return move(change, found, 'approved')
      })
      context.output.out(stateLine(moved))
    },
  }),
  stateCommand('withdraw', 'withdrawn', 'Disables a form; its sessions show the standard page.'),
]

function stateCommand(verb: string, state: FormState, summary: string): Command {
  return command({
    name: `form ${verb}`,
    changes: true,
    summary,
    args: { merchant, form },
    options: { version },
    async run(context, args, options) {
      await using instance = await openInstance(context)
      const moved = await instance.change(async (change) =>
        move(change, await requireForm(change.pool, args, options.version), state),
      )
      context.output.out(stateLine(moved))
    },
  })
}

async function move(change: ChangeContext, found: FormRecord, state: FormState): Promise<FormRecord> {
  const after = requireSuccess(await moveForm(change, found, state))
  change.note({ ...formAudit('form.move', found), before: { state: found.state }, after: { state } })
  return after
}

const stateLine = ({ version: number, formId, state }: FormRecord): string =>
  `Version ${number} of the form "${formId}" is ${state}.`

async function requireForm(
  pool: Queryable,
  args: { readonly merchant: string; readonly form: string },
  number: string | undefined,
): Promise<FormRecord> {
  const { id } = await requireMerchant(pool, args.merchant)
  const versions = (await formStore(pool).list(id)).filter(({ formId }) => formId === args.form)
  const found = number === undefined ? versions[0] : versions.find((one) => String(one.version) === number)
  if (found) return found
  const which = number === undefined ? '' : ` in version ${number}`
  throw new CommandError(`There is no form "${args.form}"${which}.`, '"gatehouse form list" lists the forms.')
}

function requireSuccess(result: FormResult): FormRecord {
  if (result.ok) return result.form
  throw new CommandError('The form was not accepted.', result.faults.join('\n'))
}

const entryOf = (one: FormRecord, names: ReadonlyMap<string, string>) => ({
  merchant: names.get(one.merchantId) ?? one.merchantId,
  form: one.formId,
  version: one.version,
  state: one.state,
  changed: one.changedAt.toISOString(),
  by: one.changedBy,
})
