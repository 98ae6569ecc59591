/** Merchants. Secrets are shown when they are created, and afterwards only with the option that asks for them. Chapter 50 §1. */
import { type Merchant, protocols, withMaskedAddresses } from '#domain/merchant.ts'
import { merchantAudit, settingsAfter, settingsDifference } from '#server/panel/setup/merchants.ts'
import { maskedAddressRefusal, maskedElsewhere, sealAddresses } from '#server/setup/merchant-addresses.ts'
import { createMerchant } from '#server/setup/merchants.ts'
import { linkMerchant } from '#server/setup/mids.ts'
import { loadConfiguration } from '#server/store/configuration/configuration.ts'
import { type MerchantRow, merchantStore } from '#server/store/configuration/merchants.ts'
import { merchantMappingStore, midStore } from '#server/store/configuration/mids.ts'
import { protocolMappingStore } from '#server/store/configuration/protocol-mappings.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { changesOf } from '../../kit/changes.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { commissionTexts, debitCommission } from '../../kit/debit-commission.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { lockMerchant, requireMerchant, requireMid } from '../../kit/named.ts'
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
import { type CellValue, record, table } from '../../kit/table.ts'
import { brandingCommands } from './merchant-branding.ts'
import { rotateMerchant } from './merchant-rotate.ts'

// biome-ignore format: a table is read in columns.
const settings = {
  // setting                                 value                                                    meaning
  title:                                     value('TEXT', 'Display name.',                   readers.nonEmpty),
  contactEmail:          orNone(          value('EMAIL', 'Contact e-mail address.',                      readers.email)),
  notificationUrl:       orNone(          value('URL', 'Address for callbacks.',                      readers.webAddress)),
  testNotificationUrl:   orNone(          value('URL', 'Address for callbacks of test payments; default: the same address.', readers.webAddress)),
  allowedIps:            orEmpty(withFlag('ip', list('CIDR', 'Addresses or ranges that may send requests; default: all.', readers.ipRange))),
  timeZone:                                  value('ZONE', 'Time zone of dates in responses and callbacks.', readers.timeZone),
  testOnly:                                  toggle('Only the test key is accepted.'),
  mpiService:            withFlag('mpi',      value('SERVICE', '3DS: none, sandbox or external.',           readers.oneOf(['none', 'sandbox', 'external']))),
  defaultCurrency:       orNone(withFlag('currency', value('CODE', 'Default currency.',             readers.currency))),
  debitCommission:                           orEmpty(list('CODE:FIXED+PERCENT%', 'Commission on debits per currency, for example EUR:0.20+3.5%.', debitCommission)),
  vatPercent:            orNone(withFlag('vat', value('PERCENT', 'VAT that Checkout adds to an order with vat_calc.', readers.percent))),
  ratePerSecond:         orNone(withFlag('rate', value('N', 'Requests per second; default: that of the instance.', readers.wholeNumber(1, 100_000)))),
}

const json = { json: flag('Prints JSON.') }

export const merchantCommands: readonly Command[] = [
  command({
    name: 'merchant create',
    changes: true,
    summary: 'Creates a merchant and shows its keys and secrets once.',
    details:
      'The merchant gets a mapping for each of the three protocols. It needs a MID to accept payments and a\n' +
      'notification address to receive callbacks.',
    args: { name: argument('NAME', readers.shortName) },
    options: {
      ...asNew(settings),
      mid: list('NAME', 'MIDs it may use, highest priority first.', readers.shortName),
      withoutMappings: flag('Creates no protocol mapping.'),
      ...json,
    },
    examples: [
      'gatehouse merchant create acme --title "Acme shoes" --notification-url https://acme.example/notify --mid main',
    ],
    async run(context, { name }, { json: asJson, mid: midNames = [], withoutMappings, ...options }) {
      const { title } = options
      if (title === undefined) throw new UsageError('--title is missing.', 'Give the display name of the merchant.')
      await using instance = await openInstance(context)
      const { merchant, password, webhookSecret } = await instance.change(async (change) => {
        await requireFree(change, name)
        refuseMasks({}, merchantChanges(options))
        const creation = await createMerchant(change, { ...merchantChanges(options), name, title })
        if (!withoutMappings) await addMappings(change, creation.merchant.id)
        await linkMids(change, creation.merchant.id, midNames)
        change.note({
          ...merchantAudit('merchant.create', creation.merchant.id),
          after: { ...withMaskedAddresses(creation.merchant), mids: midNames },
        })
        return creation
      })
      const secrets = { password: password.reveal(), webhook_secret: webhookSecret.reveal() }
      if (asJson) printJson(context.output, { ...Object.fromEntries(fieldsOf(merchant)), ...secrets })
      else context.output.out(record([...fieldsOf(merchant), ...Object.entries(secrets)]))
      context.output.err(
        'Store the password and the webhook secret now: they are shown again only with "merchant show --secrets".',
      )
    },
  }),

  command({
    name: 'merchant list',
    summary: 'Lists the merchants.',
    args: {},
    options: json,
    async run(context, _args, { json: asJson }) {
      await using instance = await openInstance(context)
      const merchants = await merchantStore(instance.pool).list()
      if (asJson) {
        printJson(
          context.output,
          merchants.map((merchant) => Object.fromEntries(fieldsOf(merchant))),
        )
        return
      }
      const headings = ['name', 'title', 'status', 'key', 'test key', 'notification url']
      const rows = merchants.map((merchant) => [
        merchant.name,
        merchant.title,
        merchant.testOnly ? `${merchant.status}, test only` : merchant.status,
        merchant.key,
        merchant.testKey,
        withMaskedAddresses(merchant).notificationUrl,
      ])
      context.output.out(table(headings, rows))
    },
  }),

  command({
    name: 'merchant show',
    changes: true,
    summary: 'Shows a merchant with its mappings and MIDs.',
    args: { name: argument('NAME', readers.nonEmpty) },
    options: { secrets: flag('Also shows the password and the webhook secrets.'), ...json },
    async run(context, { name }, { secrets, json: asJson }) {
      await using instance = await openInstance(context)
      const merchant = await requireMerchant(instance.pool, name)
      const fields = [
        ...fieldsOf(merchant),
        ...(await readConnections(instance, merchant.id)),
        ...(secrets ? await revealSecrets(instance, merchant.id) : []),
      ]
      if (asJson) printJson(context.output, Object.fromEntries(fields))
      else context.output.out(record(fields))
    },
  }),

  command({
    name: 'merchant update',
    changes: true,
    summary: 'Changes settings of a merchant.',
    args: { name: argument('NAME', readers.nonEmpty) },
    options: settings,
    examples: [
      'gatehouse merchant update demo --notification-url http://127.0.0.1:8090/',
      'gatehouse merchant update demo --no-notification-url --rate 50',
      'gatehouse merchant update demo --debit-commission EUR:0.20+3.5%,USD:2%',
    ],
    async run(context, { name }, options) {
      if (Object.keys(options).length === 0) {
        throw new UsageError('Nothing to change.', '"gatehouse merchant update --help" shows the settings.')
      }
      await using instance = await openInstance(context)
      const [before, merchant] = await changeSettings(instance, name, merchantChanges(options))
      const after = settingsAfter(before, withMaskedAddresses(merchant), merchant)
      context.output.out(changesOf(fieldsOf(before), fieldsOf(after)))
    },
  }),

  ...(['block', 'unblock'] as const).map((verb) =>
    command({
      name: `merchant ${verb}`,
      changes: true,
      summary: verb === 'block' ? 'Refuses all requests of a merchant.' : 'Accepts requests of a merchant again.',
      args: { name: argument('NAME', readers.nonEmpty) },
      options: {},
      async run(context, { name }) {
        await using instance = await openInstance(context)
        const status = verb === 'block' ? 'blocked' : 'active'
        const [before, merchant] = await changeSettings(instance, name, { status })
        context.output.out(changesOf(fieldsOf(before), fieldsOf(merchant)))
      },
    }),
  ),

  rotateMerchant,
  ...brandingCommands,
]

/** Commissions that are given replace all existing ones. */
const merchantChanges = ({
  debitCommission: commissions,
  ...plain
}: OptionValues<typeof settings>): Partial<Merchant> =>
  commissions === undefined ? plain : { ...plain, debitCommission: new Map(commissions) }

// biome-ignore format: a table is read in columns.
const fieldsOf = (merchant: Merchant): readonly (readonly [string, CellValue])[] => [
  ['name',                  merchant.name],
  ['title',                 merchant.title],
  ['id',                    merchant.id],
  ['key',                   merchant.key],
  ['test_key',              merchant.testKey],
  ['status',                merchant.status],
  ['test_only',             merchant.testOnly],
  ['notification_url',      withMaskedAddresses(merchant).notificationUrl],
  ['test_notification_url', withMaskedAddresses(merchant).testNotificationUrl],
  ['allowed_ips',           merchant.allowedIps],
  ['contact_email',         merchant.contactEmail],
  ['time_zone',             merchant.timeZone],
  ['default_currency',      merchant.defaultCurrency],
  ['rate_per_second',       merchant.ratePerSecond],
  ['vat_percent',           merchant.vatPercent],
  ['mpi_service',           merchant.mpiService],
  ['debit_commission',      commissionTexts(merchant.debitCommission)],
]

const changeSettings = (
  instance: Instance,
  name: string,
  wishes: Partial<Merchant>,
): Promise<readonly [before: MerchantRow, after: MerchantRow]> =>
  instance.change(async (change) => {
    const before = await lockMerchant(change.pool, name)
    refuseMasks(before, wishes)
    const merchant = { ...before, ...(await sealAddresses(change, before.id, before, wishes)) }
    await merchantStore(change.pool).change(merchant)
    change.note({ ...merchantAudit('merchant.change', before.id), ...settingsDifference(before, merchant) })
    return [before, merchant]
  })

function refuseMasks(before: Partial<Merchant>, wishes: Partial<Merchant>): void {
  if (maskedElsewhere(before, wishes) !== null)
    throw new CommandError('The address contains a mask instead of the user name and password.', maskedAddressRefusal)
}

async function requireFree({ pool }: ChangeContext, name: string): Promise<void> {
  const taken = (await merchantStore(pool).list()).some((merchant) => merchant.name === name)
  if (taken)
    throw new CommandError(`The merchant "${name}" already exists.`, 'Choose another name, or use "merchant update".')
}

async function addMappings({ pool }: ChangeContext, merchantId: string): Promise<void> {
  for (const protocol of protocols) {
    await protocolMappingStore(pool).put({ merchantId, protocol, enabled: true, options: {} })
  }
}

/** The first MID gets the best priority. */
async function linkMids(change: ChangeContext, merchantId: string, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    const { id: midId } = await requireMid(change.pool, name)
    await linkMerchant(change, { merchantId, midId, priority: (index + 1) * 10 })
  }
}

async function readConnections(
  { pool }: Instance,
  merchantId: string,
): Promise<readonly (readonly [string, CellValue])[]> {
  const mappings = (await protocolMappingStore(pool).list()).filter((row) => row.merchantId === merchantId)
  const links = (await merchantMappingStore(pool).list()).filter((link) => link.merchantId === merchantId)
  const names = new Map((await midStore(pool).list()).map((mid) => [mid.id, mid.name]))
  return [
    ['protocols', mappings.filter(({ enabled }) => enabled).map(({ protocol }) => protocol)],
    ['mids', links.toSorted((a, b) => a.priority - b.priority).map(({ midId }) => names.get(midId) ?? midId)],
  ]
}

/** The audit entry is written first: if it fails, the secret is not shown. */
async function revealSecrets(instance: Instance, id: string): Promise<readonly (readonly [string, CellValue])[]> {
  const { pool, vault, log } = instance
  await instance.change(async (change) => change.note(merchantAudit('merchant.reveal-secrets', id)))
  const { password, previous, webhookSecrets } = await (await loadConfiguration(pool, vault, log)).readSecrets(id)
  return [
    ['password', password.reveal()],
    ['previous_password', previous?.password.reveal() ?? null],
    ['previous_password_until', previous?.until ?? null],
    ['webhook_secrets', webhookSecrets.map((secret) => secret.reveal())],
  ]
}
