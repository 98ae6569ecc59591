/** Wallet keys and their rotation. Chapter 40 §5: add as next, activate at the wallet provider, promote, let the old key retire. */
import type { WalletKeyRecord, WalletRecordKey } from '#server/contracts/wallet-records.ts'
import { keyNote } from '#server/panel/setup/wallets.ts'
import type { EntryResult, WalletSetupContext } from '#server/wallets/setup/context.ts'
import { addCertificate, addKey, generateKey, promote, retire } from '#server/wallets/setup/wallet-keys.ts'
import { type Command, command } from '../../kit/command.ts'
import type { CommandContext } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { argument, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { readText } from '../../kit/text-source.ts'
import {
  merchantArgument,
  recordOptions,
  requireEntered,
  requireRecordKey,
  walletContext,
} from './wallet-record-key.ts'
import { showAfter } from './wallet-settings.ts'

const role = {
  role: value('ROLE', 'processing (default) or identity.', readers.oneOf(['processing', 'identity'])),
}
const fingerprint = argument(
  'FINGERPRINT',
  readers.textMatching(/^[0-9a-fA-F]{8,64}$/, 'at least 8 digits of a fingerprint'),
)

export const walletKeyCommands: readonly Command[] = [
  command({
    name: 'wallet key add',
    changes: true,
    summary: 'Adds a key as the next key, or as the current key if it is the first.',
    args: merchantArgument,
    options: {
      ...recordOptions,
      ...role,
      privateKey: text('KEY', 'The private key; @file reads a file, @- standard input.'),
      certificate: text('PEM', 'Its certificate; required for an identity key.'),
    },
    async run(context, { merchant }, { role: of = 'processing', privateKey = '', certificate, ...options }) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, merchant, options)
      const pair = {
        privateKey: await readText(privateKey, context),
        certificate: certificate === undefined ? undefined : await readText(certificate, context),
      }
      const applyChange = (setup: WalletSetupContext) => addKey(setup, recordKey, of, pair)
      const key = await changeKeys(context, instance, { action: 'wallet.enter-key', recordKey, applyChange })
      context.output.err(`The key ${key.fingerprint} is ${key.state}.`)
      await showAfter(context, instance, recordKey)
    },
  }),

  command({
    name: 'wallet key generate',
    changes: true,
    summary: 'Generates a key pair and prints the certificate request for the wallet provider’s portal.',
    details: 'For wallet B it prints the public key in one line instead.',
    args: merchantArgument,
    options: {
      ...recordOptions,
      ...role,
      type: value('TYPE', 'EC (default) or RSA.', readers.oneOf(['EC', 'RSA'])),
    },
    async run(context, { merchant }, { role: of = 'processing', type = 'EC', ...options }) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, merchant, options)
      const make = (setup: WalletSetupContext) => generateKey(setup, recordKey, of, type)
      const key = await changeKeys(context, instance, { action: 'wallet.enter-key', recordKey, applyChange: make })
      context.output.out(key.request?.trimEnd() ?? key.spki.toString('base64'))
      context.output.err(
        `The key ${key.fingerprint} is ${key.state}. Add its certificate with "wallet key certificate".`,
      )
    },
  }),

  command({
    name: 'wallet key certificate',
    changes: true,
    summary: 'Stores the certificate of an active key.',
    args: merchantArgument,
    options: { ...recordOptions, ...role, certificate: text('PEM', 'The certificate; @file reads a file.') },
    async run(context, { merchant }, { role: of = 'processing', certificate = '', ...options }) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, merchant, options)
      const pem = await readText(certificate, context)
      const enter = (setup: WalletSetupContext) => addCertificate(setup, recordKey, of, pem)
      await changeKeys(context, instance, { action: 'wallet.enter-key', recordKey, applyChange: enter })
      await showAfter(context, instance, recordKey)
    },
  }),

  command({
    name: 'wallet key promote',
    changes: true,
    summary: 'Makes the next key the current key; the old key keeps decrypting during the overlap.',
    args: { fingerprint, ...merchantArgument },
    options: { ...recordOptions, retireAfter: value('TIME', 'From 1h to 60d; default 7d.', readers.duration(60)) },
    async run(context, { merchant, fingerprint: start }, { retireAfter, ...options }) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, merchant, options)
      const applyChange = (setup: WalletSetupContext) => promote(setup, recordKey, start, retireAfter)
      await changeKeys(context, instance, { action: 'wallet.promote-key', recordKey, applyChange })
      await showAfter(context, instance, recordKey)
    },
  }),

  command({
    name: 'wallet key retire',
    changes: true,
    summary: 'Destroys a private key at once; its fingerprint stays.',
    args: { fingerprint, ...merchantArgument },
    options: recordOptions,
    async run(context, { merchant, fingerprint: start }, options) {
      await using instance = await openInstance(context)
      const recordKey = await requireRecordKey(instance, merchant, options)
      const applyChange = (setup: WalletSetupContext) => retire(setup, recordKey, start)
      await changeKeys(context, instance, { action: 'wallet.retire-key', recordKey, applyChange })
      await showAfter(context, instance, recordKey)
    },
  }),
]

interface KeyChange {
  readonly action: string
  readonly recordKey: WalletRecordKey
  readonly applyChange: (setup: WalletSetupContext) => Promise<EntryResult<WalletKeyRecord>>
}

const changeKeys = (
  context: CommandContext,
  instance: Instance,
  { action, recordKey, applyChange }: KeyChange,
): Promise<WalletKeyRecord> =>
  instance.change(async (change) => {
    const key = requireEntered(await applyChange(walletContext(change)), context.output.err)
    change.note(keyNote(action, recordKey, key))
    return key
  })
