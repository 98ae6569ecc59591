/**
 * The operator's own wallet record, the countries of the wallet providers, open alerts, and enabling a wallet for tests. Chapter 40 §2, §3,
 * §6.
 */
import { wallets } from '#domain/mid.ts'
import { platformAudit } from '#server/panel/setup/wallet-platform.ts'
import { walletAudit } from '#server/panel/setup/wallets.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { walletAlertStore } from '#server/store/wallets/wallet-alerts.ts'
import { platformRecordKey, walletSettingsStore } from '#server/store/wallets/wallet-settings.ts'
import {
  createTestingEntry,
  SandboxUnavailable,
  saveForTesting,
  type TestingSetup,
  WalletNotEnabled,
} from '#server/wallets/setup/enable-wallet.ts'
import { checkWallet } from '#server/wallets/setup/wallet-check.ts'
import { changeCountries, readCountries } from '#server/wallets/setup/wallet-countries.ts'
import { savePlatform, savePlatformFile } from '#server/wallets/setup/wallet-platform.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, list, orEmpty, orNone, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { findSandboxUrl } from '../../kit/sandbox.ts'
import { table } from '../../kit/table.ts'
import { readBytes, readText } from '../../kit/text-source.ts'
import {
  merchantArgument,
  recordOptions,
  requireEntered,
  requireRecordKey,
  walletContext,
  walletOption,
} from './wallet-record-key.ts'
import { showAfter } from './wallet-settings.ts'

export const walletPlatformCommands: readonly Command[] = [
  command({
    name: 'wallet platform set',
    changes: true,
    summary: 'Creates or changes the platform account, which serves merchants in the platform setup.',
    details: 'Rotate its keys with "wallet key … --platform"; show it with "wallet settings show --platform".',
    args: {},
    options: {
      merchantIdentifier: text('ID', 'The platform’s identifier at the wallet provider.'),
      sessionUrl: orNone(text('URL', 'Address of the session service, if not the default.')),
      certificate: text('PEM', 'Identity certificate; @file reads a file.'),
      privateKey: text('KEY', 'Its private key.'),
      processingCertificate: text('PEM', 'Processing certificate.'),
      processingPrivateKey: text('KEY', 'Processing private key.'),
    },
    async run(context, _args, { merchantIdentifier, sessionUrl, ...texts }) {
      if (merchantIdentifier === undefined && sessionUrl === undefined && Object.keys(texts).length === 0)
        throw new UsageError('Nothing to change.', '"gatehouse wallet platform set --help" shows the settings.')
      await using instance = await openInstance(context)
      const read = Object.entries(texts).map(async ([name, source]) => [name, await readText(source, context)] as const)
      const entry = {
        ...(merchantIdentifier === undefined ? {} : { merchantIdentifier }),
        ...(sessionUrl === undefined ? {} : { sessionUrl }),
        ...Object.fromEntries(await Promise.all(read)),
      }
      await instance.change(async (change) => {
        requireEntered(await savePlatform(walletContext(change), entry), context.output.err)
        change.note({ ...platformAudit('wallet-platform.save'), after: { fields: Object.keys(entry) } })
      })
      await showAfter(context, instance, platformRecordKey('walletapay'))
    },
  }),

  command({
    name: 'wallet platform file',
    changes: true,
    summary: 'Sets the verification file for the service’s own hosts and platform merchants.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {},
    async run(context, { file }) {
      await using instance = await openInstance(context)
      const bytes = await readBytes(file, context)
      await instance.change(async (change) => {
        requireEntered(await savePlatformFile(walletContext(change), bytes), context.output.err)
        change.note({ ...platformAudit('wallet-platform.upload-file'), after: { bytes: bytes.length } })
      })
      context.output.out(`Stored ${bytes.length} bytes; domains of platform merchants are checked against this file.`)
    },
  }),

  command({
    name: 'wallet enable',
    sandboxOnly:
      'A live instance has no sandbox authority; use "wallet settings set" with keys from the wallet provider.',
    changes: true,
    summary: 'Sets up a wallet for testing, with keys, sandbox certificates and the domain localhost.',
    args: { merchant: argument('MERCHANT', readers.nonEmpty) },
    options: {
      wallet: value('WALLET', 'walletapay or walletbpay; default: both.', readers.oneOf(wallets)),
      side: value('SIDE', 'Mode: live or test; default: both.', readers.oneOf(['live', 'test'])),
      virtual: flag('Omits the processing key, so that the wallet uses the virtual flow.'),
    },
    async run(context, { merchant }, { wallet, side, virtual = false }) {
      await using instance = await openInstance(context)
      const url = await findSandboxUrl(instance.config)
      if (url === null)
        throw new CommandError(
          'The sandbox was not found.',
          'Start the service, or use "wallet settings set" with your own keys.',
        )
      const { id: merchantId, name, title } = await requireMerchant(instance.pool, merchant)
      for (const one of wallet ? [wallet] : wallets) {
        for (const on of side ? [side] : (['live', 'test'] as const)) {
          const wishes = { merchantId, name, title, mode: on, wallet: one, decrypts: !virtual }
          const entry = await createTestingEntry(instance, wishes, url).catch(explain)
          await instance.change(async (change) => {
            await saveForTesting(change, wishes, entry).catch((error) => refuse(error, wishes))
            change.note({ ...walletAudit('wallet.enable-for-testing', wishes), after: { decrypts: !virtual } })
          })
          context.output.out(`${one} is enabled for ${name} in ${on} mode.`)
        }
      }
    },
  }),

  command({
    name: 'wallet check',
    summary: 'Checks keys, certificates and settings of one merchant or of all.',
    details: 'Exits with code 1 if there is a problem.',
    args: {},
    options: { merchant: text('MERCHANT', 'Only this merchant; default: all.') },
    async run(context, _args, { merchant }) {
      await using instance = await openInstance(context)
      const names = new Map((await merchantStore(instance.pool).list()).map(({ id, name }) => [id, name]))
      const only = merchant === undefined ? null : (await requireMerchant(instance.pool, merchant)).id
      const places = await walletSettingsStore(instance.pool).list()
      let problems = 0
      for (const recordKey of places.filter(({ merchantId }) => only === null || merchantId === only)) {
        const findings = await checkWallet(walletContext(instance), recordKey)
        problems += findings.filter(({ level }) => level === 'problem').length
        const who = `${names.get(recordKey.merchantId) ?? 'the platform'}, ${recordKey.wallet}, ${recordKey.mode}`
        context.output.out(`${findings.length === 0 ? 'ok      ' : 'problem '}${who}`)
        for (const { level, text: why } of findings) context.output.out(`          ${level}: ${why}`)
      }
      return problems > 0 ? 1 : 0
    },
  }),

  command({
    name: 'wallet countries',
    changes: true,
    summary: 'Shows or changes the countries that the wallet provider supports.',
    args: {},
    options: {
      ...walletOption,
      countries: {
        ...orEmpty(list('CODE', 'The complete list; --no-country restores the list of the release.', readers.nonEmpty)),
        flag: 'country',
      },
    },
    async run(context, _args, { wallet = 'walletapay', countries }) {
      await using instance = await openInstance(context)
      const wanted = countries && (countries.length === 0 ? null : countries)
      const after =
        wanted === undefined
          ? await readCountries(instance.pool, wallet)
          : await instance.change(async (change) => {
              const before = await readCountries(change.pool, wallet)
              const changed = requireEntered(await changeCountries(change.pool, wallet, wanted), context.output.err)
              const audit = { action: 'wallet.change-countries', subject: `wallet ${wallet}`, merchantId: null }
              change.note({ ...audit, before: { countries: before }, after: { countries: changed } })
              return changed
            })
      context.output.out([...after].join(' '))
    },
  }),

  command({
    name: 'wallet alarm list',
    summary: 'Lists open wallet alerts.',
    args: {},
    options: {},
    async run(context) {
      await using instance = await openInstance(context)
      const names = new Map((await merchantStore(instance.pool).list()).map(({ id, name }) => [id, name]))
      const alerts = await walletAlertStore(instance.pool).open()
      const rows = alerts.map((one) => [
        names.get(one.merchantId) ?? 'the platform',
        one.wallet,
        one.mode,
        one.kind,
        one.subject,
        one.text,
        one.lastAt,
        one.mutedReason,
      ])
      context.output.out(
        table(['merchant', 'wallet', 'mode', 'kind', 'subject', 'text', 'last reported', 'muted'], rows),
      )
    },
  }),

  command({
    name: 'wallet alarm mute',
    changes: true,
    summary: 'Mutes a wallet alert; it is raised again if the problem returns.',
    args: { kind: argument('KIND', readers.nonEmpty), ...merchantArgument },
    options: {
      ...recordOptions,
      subject: text('SUBJECT', 'As shown by "wallet alarm list"; omit it if none is shown.'),
      reason: text('TEXT', 'Reason, shown with the alert.'),
    },
    async run(context, { kind, merchant }, { subject = '', reason = '', ...options }) {
      if (reason === '') throw new UsageError('--reason is missing.', 'Say why the alert is muted.')
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, merchant, options)
      await instance.change(async (change) => {
        if (!(await walletAlertStore(change.pool).mute(recordKey, kind, subject, reason))) throw noOpenAlert()
        change.note({ ...walletAudit('wallet.mute-alarm', recordKey), after: { kind, subject, reason } })
      })
      context.output.out('The alert is muted.')
    },
  }),

  command({
    name: 'wallet alarm handled',
    changes: true,
    summary: 'Closes a wallet alert after its cause is fixed; it is raised again if the problem returns.',
    details: 'Alerts about certificates, domains and sessions close by themselves.',
    args: { kind: argument('KIND', readers.nonEmpty), ...merchantArgument },
    options: {
      ...recordOptions,
      subject: text('SUBJECT', 'As shown by "wallet alarm list"; omit it if none is shown.'),
    },
    async run(context, { kind, merchant }, { subject = '', ...options }) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, merchant, options)
      await instance.change(async (change) => {
        if (!(await walletAlertStore(change.pool).resolveOne(recordKey, kind, subject, change.clock.now())))
          throw noOpenAlert()
        change.note({ ...walletAudit('wallet.end-alarm', recordKey), before: { kind, subject } })
      })
      context.output.out('The alert is closed.')
    },
  }),
]

const noOpenAlert = (): CommandError =>
  new CommandError('There is no such open alert.', '"gatehouse wallet alarm list" shows the open alerts.')

function refuse(error: unknown, { name, wallet }: TestingSetup): never {
  if (!(error instanceof WalletNotEnabled)) throw error
  throw new CommandError(
    `${wallet} cannot be enabled for ${name}: ${error.message}`,
    `"gatehouse wallet settings show ${name}" shows its settings; those of the platform setup need "--setup own_account" first.`,
  )
}

function explain(error: unknown): never {
  if (!(error instanceof SandboxUnavailable)) throw error
  throw new CommandError(`The sandbox issued no certificate: ${error.message}.`, error.remedy)
}
