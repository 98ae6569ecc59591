/** Keys of wallets and their rotation. Chapter 40 §5: add as next, activate at the maker, promotion, let the old one retire. */
import { addCertificate, addKey, generateKey, promote, retire } from '#server/administration/wallet-keys.ts'
import { type Command, command } from '../kit/command.ts'
import { openInstance } from '../kit/instance.ts'
import { argument, text, value } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { textFrom } from '../kit/text-source.ts'
import { deskOf, entered, merchantArgument, placeOf, placeOptions } from './wallet-place.ts'
import { showAfter } from './wallet-settings.ts'

const role = {
  role: value('ROLE', 'processing, the default, or identity.', readers.oneOf(['processing', 'identity'])),
}
const fingerprint = argument(
  'FINGERPRINT',
  readers.matching(/^[0-9a-fA-F]{8,64}$/, 'at least 8 digits of a fingerprint'),
)

export const walletKeyCommands: readonly Command[] = [
  command({
    name: 'wallet key add',
    summary: 'Adds a key as next, or as current when it is the first.',
    args: merchantArgument,
    options: {
      ...placeOptions,
      ...role,
      privateKey: text('KEY', 'The private key; @file reads a file, @- standard input.'),
      certificate: text('PEM', 'Its certificate; an identity key needs one.'),
    },
    async run(context, { merchant }, { role: of = 'processing', privateKey = '', certificate, ...given }) {
      await using instance = await openInstance(context)
      const place = await placeOf(instance, merchant, given)
      const pair = {
        privateKey: await textFrom(privateKey, context),
        certificate: certificate === undefined ? undefined : await textFrom(certificate, context),
      }
      const key = entered(await addKey(deskOf(instance), place, of, pair), context.output.err)
      context.output.err(`The key ${key.fingerprint} is ${key.state}.`)
      await showAfter(context, instance, place)
    },
  }),

  command({
    name: 'wallet key generate',
    summary: 'Makes a pair here and prints the certificate request for the maker’s portal.',
    details: 'Wallet B takes no request: the public key is printed instead, in one line.',
    args: merchantArgument,
    options: {
      ...placeOptions,
      ...role,
      type: value('TYPE', 'EC, the default, or RSA.', readers.oneOf(['EC', 'RSA'])),
    },
    async run(context, { merchant }, { role: of = 'processing', type = 'EC', ...given }) {
      await using instance = await openInstance(context)
      const place = await placeOf(instance, merchant, given)
      const key = entered(await generateKey(deskOf(instance), place, of, type), context.output.err)
      context.output.out(key.request?.trimEnd() ?? key.spki.toString('base64'))
      context.output.err(
        `The key ${key.fingerprint} is ${key.state}; its certificate goes to "wallet key certificate".`,
      )
    },
  }),

  command({
    name: 'wallet key certificate',
    summary: 'Enters the certificate of an active key.',
    args: merchantArgument,
    options: { ...placeOptions, ...role, certificate: text('PEM', 'The certificate; @file reads a file.') },
    async run(context, { merchant }, { role: of = 'processing', certificate = '', ...given }) {
      await using instance = await openInstance(context)
      const place = await placeOf(instance, merchant, given)
      const pem = await textFrom(certificate, context)
      entered(await addCertificate(deskOf(instance), place, of, pem), context.output.err)
      await showAfter(context, instance, place)
    },
  }),

  command({
    name: 'wallet key promote',
    summary: 'Makes the next key the current one; the old one goes on decrypting for a while.',
    args: { fingerprint, ...merchantArgument },
    options: { ...placeOptions, retireAfter: value('TIME', 'From 1h to 60d, 7d unless given.', readers.duration(60)) },
    async run(context, { merchant, fingerprint: start }, { retireAfter, ...given }) {
      await using instance = await openInstance(context)
      const place = await placeOf(instance, merchant, given)
      entered(await promote(deskOf(instance), place, start, retireAfter), context.output.err)
      await showAfter(context, instance, place)
    },
  }),

  command({
    name: 'wallet key retire',
    summary: 'Destroys the private part of a key at once; its fingerprint stays.',
    args: { fingerprint, ...merchantArgument },
    options: placeOptions,
    async run(context, { merchant, fingerprint: start }, given) {
      await using instance = await openInstance(context)
      const place = await placeOf(instance, merchant, given)
      entered(await retire(deskOf(instance), place, start), context.output.err)
      await showAfter(context, instance, place)
    },
  }),
]
