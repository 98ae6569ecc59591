/** Protocol mappings: the options of one merchant on one protocol. Chapter 50 §2. */
import { isDeepStrictEqual } from 'node:util'
import { type MappingOptions, mappingOptions, parseMappingOptions } from '#domain/mapping.ts'
import { type Protocol, protocols } from '#domain/merchant.ts'
import type { JsonObject } from '#server/contracts/records.ts'
import { payoutFault } from '#server/live-guard/entry.ts'
import { savedMappingNote } from '#server/panel/setup/mids.ts'
import type { SetupContext } from '#server/setup/context.ts'
import type { MerchantRow } from '#server/store/configuration/merchants.ts'
import { type ProtocolMappingRow, protocolMappingStore } from '#server/store/configuration/protocol-mappings.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { lockMerchant, requireMerchant } from '../../kit/named.ts'
import { anyArguments, argument, flag } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { listMappingOptions } from './mapping-options.ts'
import { chosenOptions } from './mapping-values.ts'

const merchant = argument('MERCHANT', readers.nonEmpty)
const protocol = argument('PROTOCOL', readers.oneOf(protocols))
const json = { json: flag('Prints JSON.') }

export const mappingCommands: readonly Command[] = [
  command({
    name: 'mapping list',
    summary: 'Lists the protocol mappings of a merchant and their options.',
    args: { merchant },
    options: json,
    async run(context, args, { json: asJson }) {
      await using instance = await openInstance(context)
      const { id } = await requireMerchant(instance.pool, args.merchant)
      const rows = (await protocolMappingStore(instance.pool).list()).filter((row) => row.merchantId === id)
      if (asJson) {
        printJson(
          context.output,
          rows.map(({ protocol: of, enabled, options }) => ({ protocol: of, enabled, options })),
        )
        return
      }
      const lines = rows.map((row) => [row.protocol, row.enabled, row.enabled ? JSON.stringify(row.options) : null])
      context.output.out(table(['protocol', 'enabled', 'options that differ from the default'], lines))
    },
  }),

  command({
    name: 'mapping show',
    summary: 'Shows every option of a mapping.',
    args: { merchant, protocol },
    options: json,
    async run(context, args, { json: asJson }) {
      await using instance = await openInstance(context)
      const { row } = await requireMapping(instance, args, requireMerchant)
      if (asJson) printJson(context.output, effectiveOptions(row))
      else context.output.out(optionTable(row))
      warnOfFaults(context, row)
    },
  }),

  command({
    name: 'mapping set',
    changes: true,
    summary: 'Sets options of a mapping.',
    details:
      'A value is JSON or plain text; separate lists by commas. "gatehouse mapping options" lists the options and the\n' +
      'fields that can be added to callbacks, status responses and redirects.',
    args: { merchant, protocol, choices: anyArguments('option=value') },
    options: {},
    examples: [
      'gatehouse mapping set acme S2S_CARD digest=sha256 addToCallback=arn,rrn',
      'gatehouse mapping set acme CHECKOUT \'terms={"enabled":true}\'',
    ],
    async run(context, args) {
      if (args.choices.length === 0)
        throw new UsageError('No option given.', 'Write option=value, such as digest=sha256.')
      const chosen = chosenOptions(args.protocol, args.choices)
      await using instance = await openInstance(context)
      await store(context, instance, args, (options) => ({ ...options, ...chosen }))
    },
  }),

  command({
    name: 'mapping reset',
    changes: true,
    summary: 'Resets options of a mapping to their defaults.',
    args: { merchant, protocol, names: anyArguments('option') },
    options: {},
    async run(context, args) {
      const unknown = args.names.filter((name) => !Object.hasOwn(mappingOptions, name))
      if (args.names.length === 0 || unknown.length > 0) {
        const message = unknown.length > 0 ? `Unknown option: ${unknown.join(', ')}.` : 'No option given.'
        throw new UsageError(message, '"gatehouse mapping options" lists them.')
      }
      await using instance = await openInstance(context)
      await store(context, instance, args, (options) =>
        Object.fromEntries(Object.entries(options).filter(([name]) => !args.names.includes(name))),
      )
    },
  }),

  command({
    name: 'mapping create',
    changes: true,
    summary: 'Enables a protocol for a merchant.',
    args: { merchant, protocol },
    options: {},
    async run(context, args) {
      await using instance = await openInstance(context)
      const owner = await instance.change(async (change) => {
        const found = await findMapping(change, args, lockMerchant)
        if (found.row) {
          throw new CommandError(
            `"${found.merchant.name}" already has a mapping for ${args.protocol}.`,
            'Use "mapping set" or "mapping enable".',
          )
        }
        const row = { merchantId: found.merchant.id, protocol: args.protocol, enabled: true, options: {} }
        await putMapping(change, undefined, row)
        return found.merchant
      })
      context.output.out(`"${owner.name}" can use ${args.protocol}.`)
    },
  }),

  ...(['enable', 'disable'] as const).map((verb) =>
    command({
      name: `mapping ${verb}`,
      changes: true,
      summary:
        verb === 'enable'
          ? 'Accepts a merchant’s requests on a protocol again.'
          : 'Refuses a merchant’s requests on a protocol.',
      args: { merchant, protocol },
      options: {},
      async run(context, args) {
        await using instance = await openInstance(context)
        const owner = await instance.change(async (change) => {
          const found = await requireMapping(change, args, lockMerchant)
          await putMapping(change, found.row, { ...found.row, enabled: verb === 'enable' })
          return found.merchant
        })
        context.output.out(`${args.protocol} of "${owner.name}" is ${verb}d.`)
      },
    }),
  ),

  listMappingOptions,
]

interface MappingKey {
  readonly merchant: string
  readonly protocol: Protocol
}

/** A change locks the merchant: a concurrent change by the panel is then either read here or waits. */
async function findMapping(
  { pool }: Pick<SetupContext, 'pool'>,
  wanted: MappingKey,
  find: typeof requireMerchant,
): Promise<{ readonly merchant: MerchantRow; readonly row: ProtocolMappingRow | undefined }> {
  const owner = await find(pool, wanted.merchant)
  const rows = await protocolMappingStore(pool).list()
  return { merchant: owner, row: rows.find((row) => row.merchantId === owner.id && row.protocol === wanted.protocol) }
}

async function requireMapping(change: Pick<SetupContext, 'pool'>, wanted: MappingKey, find: typeof requireMerchant) {
  const { merchant: owner, row } = await findMapping(change, wanted, find)
  if (row) return { merchant: owner, row }
  throw new CommandError(
    `"${owner.name}" has no mapping for ${wanted.protocol}.`,
    `Create one with "gatehouse mapping create ${owner.name} ${wanted.protocol}".`,
  )
}

/** Stores only what differs from the default, so that a merchant who left an option alone gets the better default of a later release. */
async function store(
  context: CommandContext,
  instance: Instance,
  wanted: MappingKey,
  choose: (options: JsonObject) => JsonObject,
): Promise<void> {
  const lean = await instance.change(async (change) => {
    const { row, merchant: owner } = await requireMapping(change, wanted, lockMerchant)
    const after = withoutDefaults({ ...row, options: choose(row.options) })
    const [before, chosen] = [effectiveOptions(row), effectiveOptions(after)]
    const refused = payoutFault(instance.config.instanceMode, owner, { before, after: chosen })
    if (refused !== null) throw new CommandError(refused, 'Nothing was changed.')
    await putMapping(change, row, after)
    return after
  })
  context.output.out(optionTable(lean))
  warnOfFaults(context, lean)
}

async function putMapping(
  change: ChangeContext,
  before: ProtocolMappingRow | undefined,
  row: ProtocolMappingRow,
): Promise<void> {
  await protocolMappingStore(change.pool).put(row)
  change.note(savedMappingNote(before, row))
}

function withoutDefaults(row: ProtocolMappingRow): ProtocolMappingRow {
  const chosen = new Map<string, unknown>(Object.entries(effectiveOptions(row)))
  const standard = new Map<string, unknown>(
    Object.entries(mappingOptions).map(([name, option]) => [name, option.standard]),
  )
  const ownOptions = Object.entries(row.options).filter(
    ([name]) => !isDeepStrictEqual(chosen.get(name), standard.get(name)),
  )
  return { ...row, options: Object.fromEntries(ownOptions) }
}

function effectiveOptions(row: ProtocolMappingRow): MappingOptions {
  const { merchantId: _merchant, protocol: _protocol, enabled: _enabled, ...options } = parseMappingOptions(row).mapping
  return options
}

function optionTable(row: ProtocolMappingRow): string {
  const options: JsonObject = JSON.parse(JSON.stringify(effectiveOptions(row)))
  const rows = Object.entries(mappingOptions)
    .filter(([, { protocols: of }]) => of.includes(row.protocol))
    .map(([name]) => [name, JSON.stringify(options[name]), Object.hasOwn(row.options, name) ? 'chosen' : 'default'])
  return table(['option', 'value', 'from'], rows)
}

function warnOfFaults({ output }: CommandContext, row: ProtocolMappingRow): void {
  for (const fault of parseMappingOptions(row).faults) output.err(`Note: a stored option is ignored. ${fault}`)
}
