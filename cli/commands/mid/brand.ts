/** The catalogue of brands, and the card networks that the instance supports. Chapter 20 §5, chapter 50 §1. */
import type { Brand } from '#domain/brand/brand.ts'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { brandAudit } from '#server/panel/setup/brands.ts'
import { type BrandChange, copyBrand, saveBrand, switchBrand, switchNetwork } from '#server/setup/brands.ts'
import { isNetwork, readCatalogue } from '#server/store/configuration/brand-catalogue.ts'
import type { BrandRow } from '#server/store/configuration/brands.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { type CatalogueEntry, requireBrand } from '../../kit/named.ts'
import { argument, flag, text } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { type CellValue, record, table } from '../../kit/table.ts'
import { readBytes } from '../../kit/text-source.ts'
import { brandCryptoCommands } from './brand-crypto.ts'

const code = argument('CODE', readers.nonEmpty)

export const brandCommands: readonly Command[] = [
  command({
    name: 'brand list',
    summary: 'Lists the brands of alternative payment methods and the card networks.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const { brands, rows } = await readCatalogue(instance.pool)
      const entries = [...brands.map(entryOf), ...rows.filter(isNetwork).map(networkEntry)]
      if (json) {
        printJson(context.output, entries)
        return
      }
      const headings = ['code', 'kind', 'title', 'enabled', 'built in', 'version']
      context.output.out(
        table(
          headings,
          entries.map((entry) => Object.values(entry)),
        ),
      )
    },
  }),

  command({
    name: 'brand show',
    summary: 'Shows a brand and its parameters.',
    details: 'With --json it prints the record, which "brand import" accepts.',
    args: { code },
    options: { json: flag('Prints the record as JSON.') },
    async run(context, args, { json }) {
      await using instance = await openInstance(context)
      const brand = requireCatalogued(await requireBrand(instance.pool, args.code))
      if (json) {
        printJson(context.output, writtenBrand(brand))
        return
      }
      context.output.out(record(fieldsOf(brand)))
      const rows = parametersOf(brand)
      if (rows.length > 0) context.output.out(`\n${table(['action', 'parameter', 'type', 'need', 'secret'], rows)}`)
    },
  }),

  command({
    name: 'brand import',
    changes: true,
    summary: 'Adds a brand, or changes the brand with the same code.',
    details:
      'FILE contains one record as JSON, or a list of records; - reads standard input. Import of a list stops at the first error.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {},
    examples: ['gatehouse brand show bank-redirect --json > brand.json', 'gatehouse brand import brand.json'],
    async run(context, { file }) {
      const parsed = jsonOf(file, (await readBytes(file, context)).toString('utf8'))
      await using instance = await openInstance(context)
      const records = Array.isArray(parsed) ? parsed : [parsed]
      for (const one of records) {
        const saved = await instance.change(async (change) =>
          noteChange(change, 'brand.save', await saveBrand(change, one)),
        )
        context.output.out(sentence(saved))
      }
    },
  }),

  command({
    name: 'brand copy',
    changes: true,
    summary: 'Creates a custom brand from an existing brand.',
    args: { code, newCode: argument('NEW_CODE', readers.nonEmpty) },
    options: { title: text('TEXT', 'Title in English; default: the title of the original.') },
    async run(context, args, { title = null }) {
      await using instance = await openInstance(context)
      const copied = await instance.change(async (change) => {
        const original = requireCatalogued(await requireBrand(change.pool, args.code))
        return noteChange(change, 'brand.copy', await copyBrand(change, original, args.newCode, title))
      })
      context.output.out(sentence(copied))
    },
  }),

  ...(['enable', 'disable'] as const).map((verb) =>
    command({
      name: `brand ${verb}`,
      changes: true,
      summary:
        verb === 'enable'
          ? 'Accepts payments of a brand or card network again.'
          : 'Refuses new payments of a brand or card network for every merchant; captures, refunds and voids continue.',
      args: { code },
      options: {},
      async run(context, args) {
        await using instance = await openInstance(context)
        const enabled = verb === 'enable'
        const title = await instance.change((change) => switchTo(change, args.code, enabled))
        context.output.out(`${title} is ${verb}d.`)
      },
    }),
  ),

  ...brandCryptoCommands,
]

/** Returns the title. */
async function switchTo(change: ChangeContext, name: string, enabled: boolean): Promise<string> {
  const entry = await requireBrand(change.pool, name)
  if (entry.kind === 'brand') {
    noteChange(change, 'brand.switch', await switchBrand(change, entry.brand, enabled))
    return titleOf(entry.brand)
  }
  if (!(await switchNetwork(change, entry.network, enabled))) throw meanwhile(name)
  change.note({ ...brandAudit('brand.switch', name), after: { enabled } })
  return entry.network.title
}

type SavedBrand = Extract<BrandChange, { readonly kind: 'saved' }>

function noteChange(change: ChangeContext, action: string, result: BrandChange): SavedBrand {
  const saved = requireSaved(result)
  const { code: name, enabled, version } = saved.brand
  change.note({ ...brandAudit(action, name), after: { enabled, version } })
  return saved
}

const titleOf = ({ title, code: name }: Brand): string => title['en'] ?? name

function requireCatalogued(entry: CatalogueEntry): Brand {
  if (entry.kind === 'brand') return entry.brand
  throw new CommandError(
    `${entry.network.title} is a card network, not a brand with a record.`,
    '"gatehouse brand list" shows the kind of each.',
  )
}

function requireSaved(change: BrandChange): SavedBrand {
  if (change.kind === 'stale') throw meanwhile('the brand')
  if (change.kind === 'saved') return change
  const faults = change.faults.map(({ field, text: why }) => `${field}: ${why}`)
  throw new CommandError('The brand was not stored.', faults.join('\n'))
}

const sentence = ({ brand, isNew }: SavedBrand): string =>
  `Brand "${brand.code}" ${isNew ? 'added' : 'changed'}: version ${brand.version}.`

const meanwhile = (name: string): CommandError =>
  new CommandError(`${name} was changed by another process in the meantime.`, 'Check the current record and try again.')

function jsonOf(file: string, json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new CommandError(`${file} is not valid JSON.`, '"gatehouse brand show CODE --json" prints a record.')
  }
}

const entryOf = (brand: Brand) => ({
  code: brand.code,
  kind: brand.kind,
  title: titleOf(brand),
  enabled: brand.enabled,
  built_in: brand.builtIn,
  version: brand.version,
})

const networkEntry = ({ code: name, kind, title, enabled, version }: BrandRow) => ({
  code: name,
  kind,
  title,
  enabled,
  built_in: true,
  version,
})

// biome-ignore format: a table is read in columns.
const fieldsOf = (brand: Brand): readonly (readonly [string, CellValue])[] => [
  ['code',          brand.code],
  ['aliases',       brand.aliases],
  ['title',         titleOf(brand)],
  ['kind',          brand.kind],
  ['enabled',       brand.enabled],
  ['built_in',      brand.builtIn],
  ['test_only',     brand.testOnly],
  ['actions',       brand.actions],
  ['connectors',    brand.connectors],
  ['currencies',    brand.currencies],
  ['countries',     brand.countries],
  ['identifier',    brand.identifier],
  ['two_stage',     brand.twoStage],
  ['refund',        brand.refund],
  ['void',          brand.void],
  ['waiting',       brand.waiting],
  ['expires_after', `${brand.expiresAfterSeconds} s`],
  ['page_mode',     brand.pageMode],
  ['version',       brand.version],
]

const parametersOf = (brand: Brand): readonly (readonly CellValue[])[] =>
  Object.entries(brand.parameters).flatMap(([action, rows]) =>
    rows.map(({ name, type, need, secret }) => [action, name, type, need, secret]),
  )
