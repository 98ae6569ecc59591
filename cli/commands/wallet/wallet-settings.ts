/** Wallet settings of merchants. Keys and certificates are entered as text or @file, and never shown again. Chapter 40 §3. */

import type { WalletRecordKey } from '#server/contracts/wallet-records.ts'
import { walletAudit } from '#server/panel/setup/wallets.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { walletHistoryStore } from '#server/store/wallets/wallet-history.ts'
import { walletSettingsStore } from '#server/store/wallets/wallet-settings.ts'
import { viewWallet, type WalletView } from '#server/wallets/setup/wallet-view.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { flag, list, orEmpty, orNone, text, toggle, value, withFlag } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { type CellValue, record, table } from '../../kit/table.ts'
import { readText } from '../../kit/text-source.ts'
import {
  membersOf,
  merchantArgument,
  recordOptions,
  requireEntered,
  requireRecordKey,
  walletContext,
} from './wallet-record-key.ts'

// biome-ignore format: a table is read in columns.
const settings = {
  setup:                                       value('SETUP', 'Setup: platform or own_account.', readers.oneOf(['platform', 'own_account'])),
  enabled:                                     toggle('Accepts payments.'),
  trustSource:                                 value('SOURCE', 'Trust anchor for tokens: "wallet maker" (the wallet provider) or "sandbox authority".', readers.oneOf(['wallet maker', 'sandbox authority'])),
  merchantIdentifier:   orNone(             text('ID', 'Merchant identifier at the wallet provider.')),
  country:              orNone(             text('CODE', 'Country of the developer account, for example DE.')),
  shopName:             orNone(             text('NAME', 'Name shown to the payer in the wallet, up to 64 characters.')),
  merchantCapabilities: orEmpty(withFlag('capability', list('NAME', 'supports3DS (required), supportsCredit, supportsDebit, supportsEMV.', readers.nonEmpty))),
  supportedNetworks:    orEmpty(withFlag('network', list('NAME', 'Card networks offered in the wallet.', readers.nonEmpty))),
  environment:                                 value('NAME', 'Wallet B: environment, PRODUCTION, or TEST in test mode.', readers.oneOf(['PRODUCTION', 'TEST'])),
  gateway:              orNone(             text('ID', 'Wallet B: gateway id at the wallet provider, if another gateway decrypts.')),
  gatewayMerchantId:    orNone(             text('ID', 'Wallet B: merchant id at that gateway.')),
  authMethods:          orEmpty(withFlag('auth-method', list('NAME', 'Wallet B: authentication methods, PAN_ONLY and CRYPTOGRAM_3DS.', readers.oneOf(['PAN_ONLY', 'CRYPTOGRAM_3DS'])))),
  billingAddress:                              toggle('Wallet B: the page asks for the billing address.'),
  phone:                                       toggle('Wallet B: the page asks for the phone number.'),
}

// biome-ignore format: a table is read in columns.
const keyTexts = {
  certificate:           text('PEM', 'Identity certificate; @file reads a file.'),
  privateKey:            text('KEY', 'Its private key.'),
  processingCertificate: text('PEM', 'Processing certificate.'),
  processingPrivateKey:  text('KEY', 'Processing private key.'),
}

const json = { json: flag('Prints JSON.') }

export const walletSettingsCommands: readonly Command[] = [
  command({
    name: 'wallet settings list',
    summary: 'Lists the wallet settings of every merchant with their states.',
    args: {},
    options: json,
    async run(context, _args, { json: asJson }) {
      await using instance = await openInstance(context)
      const rows = await listSettings(instance)
      if (asJson)
        printJson(
          context.output,
          rows.map(({ cells }) => cells),
        )
      else
        context.output.out(
          table(
            ['merchant', 'wallet', 'mode', 'setup', 'state', 'reason'],
            rows.map(({ cells }) => [cells.merchant, cells.wallet, cells.side, cells.setup, cells.state, cells.why]),
          ),
        )
    },
  }),

  command({
    name: 'wallet settings show',
    summary: 'Shows a merchant’s wallet: settings, key fingerprints and domains.',
    args: merchantArgument,
    options: { ...recordOptions, ...json },
    async run(context, { merchant }, { json: asJson, ...options }) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, merchant, options)
      const view = await viewWallet(instance.pool, recordKey, instance.clock.now())
      if (view === null) throw new CommandError('There are no settings yet.', 'Create them with "wallet settings set".')
      show(context, view, asJson ?? false)
    },
  }),

  command({
    name: 'wallet settings set',
    changes: true,
    summary: 'Creates or changes a merchant’s wallet. If a value is invalid, nothing is changed.',
    args: merchantArgument,
    options: { ...recordOptions, ...settings, ...keyTexts },
    examples: [
      'gatehouse wallet settings set acme --merchant-identifier merchant.com.acme --country DE --shop-name Acme --capability supports3DS --network visa,masterCard',
      'gatehouse wallet settings set acme --processing-private-key @processing.key --enabled',
    ],
    async run(context, { merchant }, { wallet, side, platform, ...options }) {
      if (Object.keys(options).length === 0)
        throw new UsageError('Nothing to change.', '"gatehouse wallet settings set --help" shows the settings.')
      await using instance = await openInstance(context)
      const where = { ...(wallet && { wallet }), ...(side && { side }), ...(platform && { platform }) }
      const recordKey = await requireRecordKey(instance, merchant, where)
      const entry = { ...options, ...(await readKeys(options, context)) }
      await instance.change(async (change) => {
        const { enabled, setup } = requireEntered(
          await saveWallet(walletContext(change), recordKey, entry),
          context.output.err,
        )
        change.note({ ...walletAudit('wallet.save', recordKey), after: { fields: Object.keys(entry), enabled, setup } })
      })
      await showAfter(context, instance, recordKey)
    },
  }),

  command({
    name: 'wallet settings history',
    summary: 'Shows the changes of a merchant’s wallet: who and when.',
    args: merchantArgument,
    options: { ...recordOptions, ...json },
    async run(context, { merchant }, { json: asJson, ...options }) {
      await using instance = await openInstance(context)
      const { merchantId, wallet } = await requireRecordKey(instance, merchant, options)
      const changes = await walletHistoryStore(instance.pool).list(merchantId, wallet)
      if (asJson) printJson(context.output, changes.map(membersOf))
      else
        context.output.out(
          table(
            ['at', 'by', 'mode', 'change', 'details'],
            changes.map(({ at, byUser, mode, what, details }) => [at, byUser, mode, what, JSON.stringify(details)]),
          ),
        )
    },
  }),
]

type KeyTexts = { readonly [Name in keyof typeof keyTexts]?: string }

async function readKeys(sources: KeyTexts, context: CommandContext): Promise<KeyTexts> {
  const named = (['certificate', 'privateKey', 'processingCertificate', 'processingPrivateKey'] as const).flatMap(
    (name) => (sources[name] === undefined ? [] : [[name, sources[name]] as const]),
  )
  return Object.fromEntries(
    await Promise.all(named.map(async ([name, source]) => [name, await readText(source, context)] as const)),
  )
}

export async function showAfter(
  context: CommandContext,
  { pool, clock }: Instance,
  recordKey: WalletRecordKey,
): Promise<void> {
  const view = await viewWallet(pool, recordKey, clock.now())
  if (view) show(context, view, false)
}

function show({ output }: CommandContext, view: WalletView, asJson: boolean): void {
  const { settings: shown, keys, domains, state, reasons } = view
  const { associationFile, ...plain } = shown
  if (asJson) {
    printJson(output, {
      ...membersOf(plain),
      associationFileBytes: associationFile?.length ?? null,
      state,
      reasons,
      keys: keys.map(membersOf),
      domains: domains.map(({ file: _file, ...domain }) => domain),
    })
    return
  }
  output.out(record([...fieldsOf(view)]))
  if (keys.length > 0)
    output.out(
      `\n${table(
        ['key', 'role', 'state', 'type', 'certificate until', 'decrypts until'],
        keys.map((key) => [key.fingerprint, key.role, key.state, key.type, key.certificateUntil, key.until]),
      )}`,
    )
  if (domains.length > 0)
    output.out(
      `\n${table(
        ['domain', 'purpose', 'controlled by', 'state', 'last check', 'fault'],
        domains.map((one) => [one.domain, one.purpose, one.controlledBy, one.state, one.lastCheck, one.lastFault]),
      )}`,
    )
}

// biome-ignore format: a table is read in columns.
const fieldsOf = ({ settings: shown, state, reasons }: WalletView): readonly (readonly [string, CellValue])[] => [
  ['wallet',                shown.wallet],
  ['side',                  shown.mode],
  ['setup',                 shown.setup],
  ['enabled',               shown.enabled],
  ['state',                 state],
  ['why',                   reasons.join(' ')],
  ['trust_source',          shown.trustSource],
  ['merchant_identifier',   shown.fields.merchantIdentifier ?? null],
  ['country',               shown.fields.country ?? null],
  ['shop_name',             shown.fields.shopName ?? null],
  ['merchant_capabilities', shown.fields.merchantCapabilities ?? null],
  ['supported_networks',    shown.fields.supportedNetworks ?? null],
  ['environment',           shown.fields.environment ?? null],
  ['gateway',               shown.fields.gateway ?? null],
  ['gateway_merchant_id',   shown.fields.gatewayMerchantId ?? null],
  ['allowed_auth_method',   shown.fields.authMethods ?? null],
]

async function listSettings({ pool, clock }: Instance) {
  const names = new Map((await merchantStore(pool).list()).map(({ id, name }) => [id, name]))
  const places = await walletSettingsStore(pool).list()
  const rows = await Promise.all(
    places.map(async (recordKey) => {
      const view = await viewWallet(pool, recordKey, clock.now())
      const { merchantId, wallet, mode, setup } = recordKey
      const merchant = names.get(merchantId) ?? 'the platform'
      return {
        cells: { merchant, wallet, side: mode, setup, state: view?.state ?? null, why: view?.reasons.join(' ') ?? '' },
      }
    }),
  )
  return rows.toSorted((a, b) => a.cells.merchant.localeCompare(b.cells.merchant))
}
