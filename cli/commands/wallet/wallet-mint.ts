/** `wallet mint`: creates a token as a device would, for the given merchant and order. Chapter 40 §20.3. */

import { z } from 'zod'
import { accept, type Reading, refuse } from '#domain/reading.ts'
import { command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { type Output, printJson } from '../../kit/context.ts'
import { askSimulator, findGatewayUrl } from '../../kit/gateway.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { flag, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'

const forms = ['s2s-card', 's2s-apm'] as const

const options = {
  merchant: text('MERCHANT', 'Merchant name or key; default demo. A test key creates a token for test mode.'),
  wallet: value('NAME', 'Wallet; default walletapay.', readers.oneOf(['walletapay', 'walletbpay'])),
  version: value(
    'VERSION',
    'Token version: EC_v1 or RSA_v1 for wallet A, ECv2 or ECv1 for wallet B.',
    readers.oneOf(['EC_v1', 'RSA_v1', 'ECv2', 'ECv1']),
  ),
  amount: text('AMOUNT', 'Amount of the order; default 1.99.'),
  currency: value('CODE', 'Currency; default USD.', readers.currency),
  card: text('CARD', 'Test card: approve, decline, soft-decline …; default approve.'),
  panType: value('TYPE', 'Card number type: DPAN, FPAN or MPAN.', readers.oneOf(['DPAN', 'FPAN', 'MPAN'])),
  dataType: value('TYPE', 'Payment data type: 3DSecure or EMV.', readers.oneOf(['3DSecure', 'EMV'])),
  key: value(
    'STATE',
    'Encryption key: current, next, retiring, retired or unknown.',
    readers.oneOf(['current', 'next', 'retiring', 'retired', 'unknown']),
  ),
  fault: text('FAULT', 'Fault of the token, for example stale; "wallet matrix --list" shows all faults.'),
  signedAt: value('SECONDS', 'Signing time in seconds from now; negative for the past.', seconds),
  envelope: value(
    'FORM',
    'Wallet B token format: payment_data, tokenization_data or bare.',
    readers.oneOf(['payment_data', 'tokenization_data', 'bare']),
  ),
  holderName: text('NAME', 'Cardholder name in the token.'),
  seed: text('SEED', 'The same seed gives the same keys, ids and cryptogram.'),
  form: value('PROTOCOL', 'Prints a curl command that pays with it: s2s-card or s2s-apm.', readers.oneOf(forms)),
  url: value('URL', 'Address of the service; default: the service of this instance.', readers.webAddress),
  json: flag('Prints the whole answer as JSON.'),
}

export const walletMint = command({
  name: 'wallet mint',
  sandboxOnly: 'A live instance has no simulator.',
  summary: 'Creates a wallet token on a running sandbox instance.',
  details:
    'The token passes the same checks as one from a device, and is valid only in this sandbox. It can be used for one payment.',
  args: {},
  options,
  examples: [
    'gatehouse wallet mint > token.json',
    'gatehouse wallet mint --card decline --form s2s-card | sh',
    'gatehouse wallet mint --wallet walletbpay --version ECv1 --fault b-expired --json',
  ],
  async run({ output, ...context }, _args, { merchant = 'demo', form, url, json = false, ...wishes }) {
    await using instance = await openInstance({ ...context, output })
    const { name, key, testKey } = await requireMerchant(instance.pool, merchant)
    const body = { ...fieldsOf(wishes), merchant_key: merchant === testKey ? testKey : key }
    const minted = await askSimulator(url ?? (await findGatewayUrl(instance.config)), '/tokens', answer, body)
    if (json) printJson(output, minted)
    else if (form === undefined) output.out(minted.token)
    else output.out(curlOf(minted, form))
    if (!json) explain(output, name, minted)
  },
})

const request = z.object({ url: z.string(), body: z.string() })
const expectation = z.object({
  http: z.number(),
  error_code: z.number().nullable(),
  error_message: z.string().nullable(),
  check: z.string().nullable(),
})
const answer = z.looseObject({
  id: z.string(),
  token: z.string(),
  facts: z.record(z.string(), z.unknown()),
  expect: z.object({ card: expectation, virtual: expectation }),
  requests: z.object({ s2s_card: request, s2s_apm: request }).optional(),
})

type MintAnswer = z.infer<typeof answer>

/** `panType` → `pan_type`. */
function fieldsOf(wishes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const named = Object.entries(wishes).map(
    ([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const,
  )
  return Object.fromEntries(named)
}

function curlOf({ requests }: MintAnswer, form: (typeof forms)[number]): string {
  if (requests === undefined)
    throw new CommandError(
      'The service signs requests only for callers on its own machine.',
      'Run the command there, or omit --form and sign the request yourself.',
    )
  const { url, body } = form === 's2s-card' ? requests.s2s_card : requests.s2s_apm
  // The form body is percent-encoded, so it contains no quote that could end the shell argument.
  return `curl -sSw '\\n' '${url}' --data '${body}'`
}

function explain({ err }: Output, merchant: string, { id, facts, expect }: MintAnswer): void {
  const { card, wallet, version } = facts
  err(`Note: ${String(wallet)} ${String(version)} for ${merchant}, card ${String(card)}, token ${id}.`)
  const { card: first, virtual } = expect
  if (first.error_code === null) return
  const then = virtual.error_code === null ? 'passes' : String(virtual.error_code)
  err(`Note: expected in card flow ${first.error_code} by check ${first.check}; in virtual flow ${then}.`)
}

function seconds(text: string): Reading<number> {
  return /^-?\d{1,9}$/.test(text) ? accept(Number(text)) : refuse('a number of seconds such as -301')
}
