/** MIDs: merchant accounts at acquirers. The connector's schema checks the credentials before they are encrypted. Chapter 50 §1, §6. */
import { pagePayerFields } from '#domain/checkout/payer-fields.ts'
import { type Mid, midActions } from '#domain/mid.ts'
import type { RegisteredConnector } from '#server/connectors/connector.ts'
import type { Credentials } from '#server/connectors/credentials.ts'
import { connectors, unavailableBecause } from '#server/connectors/registry.ts'
import { type EnteredMid, midFault } from '#server/live-guard/entry.ts'
import { addressRemedy } from '#server/network/acquirer-address.ts'
import { difference } from '#server/panel/audit/audit.ts'
import { midAudit } from '#server/panel/setup/mids.ts'
import { changeCredentials, createMid } from '#server/setup/mids.ts'
import { readCatalogue } from '#server/store/configuration/brand-catalogue.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { type MidRow, merchantMappingStore, midStore } from '#server/store/configuration/mids.ts'
import { PLATFORM_SCOPE } from '#server/vault/port.ts'
import { changesOf } from '../../kit/changes.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { type Instance, openInstance, readInstanceConfig } from '../../kit/instance.ts'
import { lockMid, requireMid } from '../../kit/named.ts'
import {
  argument,
  asNew,
  flag,
  list,
  type OptionValues,
  orEmpty,
  orNone,
  toggle,
  value,
  withFlag,
} from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'
import { amountsOption, changeLimit } from './changed-limit.ts'
import { checkMid } from './mid-check.ts'
import { readableCredentials, readCredentials, requireConnector, unsupportedSettings } from './mid-credentials.ts'
import { fieldsOf, type MidFields } from './mid-fields.ts'
import { midHealth } from './mid-health.ts'
import { linkMid, unlinkMid } from './mid-link.ts'

const count = readers.wholeNumber(0, 1_000_000_000)

// biome-ignore format: a table is read in columns.
const settings = {
  // setting                                         value                                                          meaning
  paymentMode:                                       value('MODE', 'SMS, DMS or SMS/DMS.',                          readers.oneOf(['SMS', 'DMS', 'SMS/DMS'])),
  currencies:         orEmpty(withFlag('currency', list('CODE', 'Currencies; default: all that the connector supports.', readers.currency))),
  networks:           orEmpty(withFlag('network', list('NAME', 'Card networks; default: all.',           readers.nonEmpty))),
  brands:             orEmpty(withFlag('brand', list('CODE', 'Brands of alternative payment methods; default: all.', readers.nonEmpty))),
  cards:                                             toggle('Accepts cards.'),
  actions:            orEmpty(withFlag('action', list('NAME', `Supported actions: ${midActions.join(', ')}.`,                   readers.oneOf(midActions)))),
  wallets:            orEmpty(withFlag('wallet', list('NAME', 'Wallets: walletapay, walletbpay.',                        readers.oneOf(['walletapay', 'walletbpay'])))),
  payerFields:        orEmpty(withFlag('payer-field', list('NAME', `Asked of card payers on the hosted page: ${pagePayerFields.join(', ')}.`, readers.oneOf(pagePayerFields)))),
  motoEnabled:        withFlag('moto',                toggle('Accepts mail and telephone orders (MOTO).')),
  cardOnFileEnabled:  withFlag('card-on-file',        toggle('Registers saved cards with the acquirer.')),
  zeroAmount:                                        toggle('Accepts zero-amount payments.'),
  cardFlow:                                          toggle('Processes decrypted wallet card numbers as cards.'),
  acceptsDecrypted:                                  toggle('Accepts decrypted wallet data.'),
  overrideLinkTarget: orNone(withFlag('link-target', value('TARGET', '_blank, _self, _parent or _top; overrides the request.', readers.oneOf(['_blank', '_self', '_parent', '_top'])))),
  descriptor:                                        value('TEXT', 'Descriptor on the payer’s statement.',        readers.anyText),
  cutOff:                                            value('HH:MM', 'Start of the financial day.',               readers.timeOfDay),
  timeZone:                                          value('ZONE', 'Time zone of the financial day.',                    readers.timeZone),
  autoCaptureHours:   orNone(withFlag('auto-capture', value('HOURS', 'Captures a hold automatically after this time.',  readers.wholeNumber(1, 720)))),
}

// biome-ignore format: a table is read in columns.
const limitOptions = {
  dayLimit:           amountsOption('Maximum amount per day in a currency, such as EUR:1000.00; may be repeated.'),
  dayCount:           orNone(                     value('N', 'Maximum number of payments per day.',                           count)),
  monthLimit:         amountsOption('Maximum amount per month in a currency; may be repeated.'),
  monthCount:         orNone(                     value('N', 'Maximum number of payments per month.',                         count)),
}

const credentials = value(
  'JSON',
  'Credentials at the acquirer; @file reads a file, @- standard input.',
  readers.nonEmpty,
)
const json = { json: flag('Prints JSON.') }

export const midCommands: readonly Command[] = [
  command({
    name: 'mid create',
    changes: true,
    summary: 'Creates a MID.',
    details: `Connectors: ${connectors.map(({ id, title }) => `${id} (${title})`).join(', ')}.`,
    args: { name: argument('NAME', readers.shortName) },
    options: {
      connector: value('ID', 'Connector of the acquirer.', readers.nonEmpty),
      side: value(
        'SIDE',
        'Mode: live or test. A merchant’s live key uses live MIDs, its test key uses test MIDs.',
        readers.oneOf(['live', 'test']),
      ),
      credentials,
      ...asNew({ ...settings, ...limitOptions }),
      disabled: flag('Creates the MID disabled.'),
    },
    examples: [
      'gatehouse mid create main --connector sandbox --side test --credentials \'{"mid":"main","base_url":"http://127.0.0.1:4000"}\' --moto',
    ],
    async run(context, { name }, { connector: id, side, credentials: source, disabled, ...options }) {
      if (id === undefined || side === undefined || source === undefined) {
        throw new UsageError(
          '--connector, --side and --credentials are required.',
          '"gatehouse mid create --help" explains them.',
        )
      }
      const connector = requireConnector(id)
      refuseUnavailable(connector, context)
      const parsed = await readCredentials(connector, source, context)
      await using instance = await openInstance(context)
      const wishes = { ...midChanges(options), name, connector: connector.id, mode: side, enabled: !disabled }
      refuseUnsafe(instance, { ...wishes, addresses: connector.addresses(parsed, side) })
      const mid = await instance.change(async (change) => {
        if ((await midStore(change.pool).list()).some((one) => one.name === name))
          throw new CommandError(`The MID "${name}" already exists.`, 'Choose another name, or use "mid update".')
        const newMid = await createMid(change, wishes, parsed)
        change.note({ ...midAudit('mid.create', newMid.id), after: newMid })
        return newMid
      })
      context.output.out(record(fieldsOf(mid)))
      for (const note of await listNotesOn(instance, mid)) context.output.err(`Note: ${note}`)
      context.output.err(`No merchant uses it yet. Link one with "gatehouse mid link MERCHANT ${name}".`)
    },
  }),

  command({
    name: 'mid list',
    summary: 'Lists the MIDs.',
    args: {},
    options: json,
    async run(context, _args, { json: asJson }) {
      await using instance = await openInstance(context)
      const mids = await midStore(instance.pool).list()
      if (asJson) {
        printJson(
          context.output,
          mids.map((mid) => Object.fromEntries(fieldsOf(mid))),
        )
        return
      }
      const headings = ['name', 'connector', 'mode', 'enabled', 'payment mode', 'moto', 'wallets', 'merchants']
      const users = await readMerchantsByMid(instance)
      const rows = mids.map((mid) => [
        mid.name,
        mid.connector,
        mid.mode,
        mid.enabled,
        mid.paymentMode,
        mid.motoEnabled,
        mid.wallets,
        users.get(mid.id)?.length ?? 0,
      ])
      context.output.out(table(headings, rows))
    },
  }),

  command({
    name: 'mid show',
    changes: true,
    summary: 'Shows a MID and the merchants that use it.',
    args: { name: argument('NAME', readers.nonEmpty) },
    options: { secrets: flag('Shows the credentials in full.'), ...json },
    async run(context, { name }, { secrets, json: asJson }) {
      await using instance = await openInstance(context)
      const mid = await requireMid(instance.pool, name)
      // The audit entry is written first: if it fails, the credentials are not shown.
      if (secrets) await instance.change(async (change) => change.note(midAudit('mid.reveal-credentials', mid.id)))
      const stored = await instance.vault.open(PLATFORM_SCOPE, 'credentials', mid.credentialsSealed)
      const fields: MidFields = [
        ...fieldsOf(mid),
        ['merchants', (await readMerchantsByMid(instance)).get(mid.id) ?? []],
        ['credentials', secrets ? stored.reveal() : readableCredentials(stored)],
      ]
      if (asJson) printJson(context.output, Object.fromEntries(fields))
      else context.output.out(record(fields))
    },
  }),

  command({
    name: 'mid update',
    changes: true,
    summary: 'Changes settings or credentials of a MID.',
    details: 'Name, connector and mode cannot be changed; create a new MID instead.',
    args: { name: argument('NAME', readers.nonEmpty) },
    options: { ...settings, ...limitOptions, credentials },
    async run(context, { name }, { credentials: source, ...options }) {
      if (source === undefined && Object.keys(options).length === 0) {
        throw new UsageError('Nothing to change.', '"gatehouse mid update --help" shows the settings.')
      }
      await using instance = await openInstance(context)
      const { connector } = await requireMid(instance.pool, name)
      const secrets = source && (await readCredentials(requireConnector(connector), source, context))
      const [before, mid] = await changeSettings(instance, name, (was) => midChanges(options, was), secrets)
      if (secrets) context.output.err('The credentials are changed.')
      if (Object.keys(options).length === 0) return
      context.output.out(changesOf(fieldsOf(before), fieldsOf(mid)))
      for (const note of await listNotesOn(instance, mid)) context.output.err(`Note: ${note}`)
    },
  }),

  ...(['enable', 'disable'] as const).map((verb) =>
    command({
      name: `mid ${verb}`,
      changes: true,
      summary:
        verb === 'enable'
          ? 'Enables a MID for payments.'
          : 'Stops new payments to a MID; captures, refunds and voids continue.',
      args: { name: argument('NAME', readers.nonEmpty) },
      options: {},
      async run(context, { name }) {
        await using instance = await openInstance(context)
        const [mid] = await changeSettings(instance, name, () => ({ enabled: verb === 'enable' }))
        context.output.out(`The MID "${mid.name}" is ${verb}d.`)
      },
    }),
  ),

  midHealth,
  checkMid,
  linkMid,
  unlinkMid,
]

const changeSettings = (
  instance: Instance,
  name: string,
  changeOf: (before: Mid) => Partial<Mid>,
  credentials?: Credentials | '',
): Promise<readonly [before: MidRow, after: MidRow]> =>
  instance.change(async (change) => {
    const before = await lockMid(change.pool, name)
    const mid = { ...before, ...changeOf(before) }
    const addresses = credentials ? requireConnector(mid.connector).addresses(credentials, mid.mode) : []
    refuseUnsafe(instance, { ...mid, addresses })
    if (credentials) await changeCredentials(change, mid.id, credentials)
    await midStore(change.pool).change(mid)
    const changed = difference(before, mid)
    const after = credentials ? { ...changed.after, credentials: 'changed' } : changed.after
    change.note({ ...midAudit('mid.change', mid.id), before: changed.before, after })
    return [before, mid]
  })

function refuseUnavailable(connector: RegisteredConnector, context: CommandContext): void {
  const missing = unavailableBecause(connector, readInstanceConfig(context).dataDir)
  if (missing !== null) throw new CommandError(`No MID can be created with ${connector.id} yet.`, missing)
}

function refuseUnsafe({ config }: Instance, entered: EnteredMid): void {
  const fault = midFault(config, entered)
  if (fault === null) return
  const remedy = fault.field === 'connector' ? 'Use the connector of the acquirer.' : addressRemedy
  throw new CommandError(`${fault.field}: ${fault.text}`, `${remedy} Nothing was changed.`)
}

async function listNotesOn({ pool }: Instance, mid: Mid): Promise<readonly string[]> {
  const { brands } = await readCatalogue(pool)
  const unknown = mid.brands.filter((code) => brands.every((brand) => brand.code !== code))
  return [...unsupportedSettings(mid), ...unknown.map((code) => `the catalogue has no brand "${code}".`)]
}

type MidOptions = OptionValues<typeof settings & typeof limitOptions>

function midChanges(
  { dayLimit, dayCount, monthLimit, monthCount, ...plain }: MidOptions,
  before?: Mid,
): Partial<Omit<Mid, 'id' | 'name' | 'connector' | 'mode'>> {
  return {
    ...plain,
    dayLimit: changeLimit(before?.dayLimit, dayLimit, dayCount),
    monthLimit: changeLimit(before?.monthLimit, monthLimit, monthCount),
  }
}

async function readMerchantsByMid({ pool }: Instance): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map((await merchantStore(pool).list()).map((merchant) => [merchant.id, merchant.name]))
  const byMid = Map.groupBy(await merchantMappingStore(pool).list(), (link) => link.midId)
  return new Map(
    [...byMid].map(([midId, links]) => [
      midId,
      [...new Set(links.map((link) => names.get(link.merchantId) ?? '?'))].sort(),
    ]),
  )
}
