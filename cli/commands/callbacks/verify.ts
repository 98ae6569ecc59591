/**
 * Verifies what was received: the hash of a request, or the hash and signature of a callback. The exit code is 1 if something does not
 * match.
 */
import { pan10 } from '#domain/card.ts'
import { machineTime, systemClock } from '#server/process/clock.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import type { CommandContext } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { anyArguments, argument, optionalArgument, repeatedOption, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { readBytes, readText } from '../../kit/text-source.ts'
import { fieldOf, readBody } from '../../signing/callback-body.ts'
import { checkHash, checkSignature, type KnownPayment, type Verdict } from '../../signing/callback-check.ts'
import {
  digests,
  findKnownPayment,
  type Keys,
  keyOptions,
  openSecrets,
  readConfiguration,
  readKeys,
  readKeysOfMerchant,
  readPasswordKeys,
} from '../../signing/merchant-keys.ts'
import { readValues } from '../../signing/values.ts'
import { requireFormula } from './sign.ts'

const body = optionalArgument('FILE', readers.nonEmpty)
const usualToleranceMs = 300_000

export const verifyCommands: readonly Command[] = [
  command({
    name: 'verify',
    summary: 'Verifies the hash of a request; "gatehouse sign --list" shows the formulas.',
    details: 'Without --digest or --merchant both digests are tried.',
    args: { formula: argument('FORMULA', readers.nonEmpty), pairs: anyArguments('name=value') },
    options: keyOptions,
    examples: ['gatehouse verify card.start email=doe@example.com pan10=4111111111 hash=2702… --merchant demo'],
    async run(context, { formula: name, pairs }, options) {
      const formula = requireFormula(name)
      const { values, hash } = readValues(formula, pairs)
      if (hash === null) throw new UsageError('hash=… is missing.', 'Add the received hash to the values.')
      const { passwords, digest } = await readKeys(context, options, formula.protocol)
      const fitting = digests.filter((one) => formula.verifies(hash, values, { passwords, digest: one }))
      const [first, ...others] = fitting
      if (first === undefined)
        return printVerdict(context, 'hash', { good: false, why: `it does not match ${formula.name}` })
      if (digest !== null && !fitting.includes(digest)) {
        return printVerdict(context, 'hash', {
          good: false,
          why: `it was computed with ${first}, not with ${digest}`,
        })
      }
      // The digest of the mapping does not change the hash of a return.
      const how = others.length > 0 ? `by ${formula.name}` : `by ${formula.name} with ${first}`
      return printVerdict(context, 'hash', { good: true, how })
    },
  }),

  command({
    name: 'verify callback',
    summary: 'Verifies the hash of a callback from its raw body (form or JSON).',
    details:
      'The body is read from FILE or standard input. A callback of S2S CARD is signed over the payer’s e-mail and the card, too:\n' +
      'with --merchant they are taken from the payment, otherwise give --email and, if the body has no card, --card.',
    args: { body },
    options: {
      ...keyOptions,
      email: text('EMAIL', 'payer_email of the payment.'),
      card: text('CARD', 'Number or mask of the card.'),
    },
    async run(context, args, { email, card, ...options }) {
      const received = readBody(await readBytes(args.body, context))
      if (!received)
        throw new CommandError('The body is neither a form nor JSON.', 'Give the body exactly as it was received.')
      const paymentId = fieldOf(received.fields, 'trans_id') ?? fieldOf(received.fields, 'id')
      const { keys, known } = await readCallbackKeys(context, options, paymentId)
      const verdict = checkHash(
        received.fields,
        { email: email ?? known?.email, pan10: card === undefined ? known?.pan10 : pan10(card) },
        { passwords: keys.passwords, digests: keys.digest === null ? digests : [keys.digest] },
      )
      return printVerdict(context, 'hash', verdict)
    },
  }),

  command({
    name: 'verify webhook',
    summary: 'Verifies the signature headers of a callback from its raw body.',
    args: { body },
    options: {
      header: repeatedOption('NAME:VALUE', 'A header of the callback, as received.'),
      secret: text('S', 'The webhook secret, whsec_…; @file reads it from a file.'),
      merchant: text('NAME', 'The webhook secrets of this merchant.'),
      tolerance: value('TIME', 'Tolerance of the timestamp; default 5m.', readers.duration(36_500)),
    },
    examples: [
      "gatehouse verify webhook body.txt --header 'webhook-id: msg_…' --header 'webhook-timestamp: 1773143514' --header 'webhook-signature: v1,…' --merchant demo",
    ],
    async run(context, args, { header = [], secret, merchant, tolerance = usualToleranceMs }) {
      const { secrets, now } = await readWebhookKeys(context, secret, merchant)
      const headers = new Headers(header.map(headerPair))
      const webhookHeaders = {
        id: headers.get('webhook-id') ?? undefined,
        timestamp: headers.get('webhook-timestamp') ?? undefined,
        signature: headers.get('webhook-signature') ?? undefined,
      }
      const keys = { secrets, nowSeconds: now.getTime() / 1000, toleranceSeconds: tolerance / 1000 }
      const bytes = await readBytes(args.body, context)
      const verdict = checkSignature(webhookHeaders, bytes, keys)
      const trimmed = Buffer.from(bytes.toString('latin1').replace(/\r?\n$/, ''), 'latin1')
      if (verdict.good || trimmed.length === bytes.length) return printVerdict(context, 'webhook-signature', verdict)
      // Editors and shells add a line break at the end of a file; it was not part of the callback.
      return printVerdict(context, 'webhook-signature', checkSignature(webhookHeaders, trimmed, keys))
    },
  }),
]

async function readCallbackKeys(
  context: CommandContext,
  options: Parameters<typeof readKeys>[1],
  paymentId: string | undefined,
): Promise<{ readonly keys: Keys; readonly known: KnownPayment | null }> {
  if (options.merchant === undefined) return { keys: await readPasswordKeys(context, options), known: null }
  await using instance = await openInstance(context)
  const { id } = await requireMerchant(instance.pool, options.merchant)
  return {
    keys: await readKeysOfMerchant(instance, options.merchant, options, null),
    known: await findKnownPayment(instance, id, paymentId),
  }
}

async function readWebhookKeys(
  context: CommandContext,
  secret: string | undefined,
  merchant: string | undefined,
): Promise<{ readonly secrets: readonly string[]; readonly now: Date }> {
  if ((secret === undefined) === (merchant === undefined)) {
    throw new UsageError('Give --secret or --merchant.', 'A merchant’s secrets are read from the instance.')
  }
  if (merchant === undefined) {
    const secretText = await readText(secret ?? '', context)
    if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secretText))
      throw new UsageError(
        'The secret must begin with whsec_.',
        'Give the secret as "merchant show --secrets" prints it.',
      )
    return { secrets: [secretText], now: systemClock().now() }
  }
  await using instance = await openInstance(context)
  const { id } = await requireMerchant(instance.pool, merchant)
  const { webhookSecrets } = await openSecrets(await readConfiguration(instance), instance.clock, id)
  return { secrets: webhookSecrets, now: machineTime(instance.clock).now() }
}

function headerPair(header: string): [string, string] {
  const colon = header.indexOf(':')
  if (colon < 1)
    throw new UsageError(`"${header}" is not a header.`, 'Write it as received, in the form "name: value".')
  return [header.slice(0, colon).trim(), header.slice(colon + 1).trim()]
}

function printVerdict({ output }: CommandContext, what: string, verdict: Verdict): number {
  output.out(verdict.good ? `The ${what} is valid: ${verdict.how}.` : `The ${what} is invalid: ${verdict.why}.`)
  return verdict.good ? 0 : 1
}
