/** Payments in every state, made at the sandbox so that an integrator's receiver gets the callbacks of each. */
import { z } from 'zod'
import { cardFormulas, type Digest, type Formula, sign } from '#domain/signature/signature.ts'
import { CommandError } from '../../kit/command-error.ts'
import type { CommandContext } from '../../kit/context.ts'
import { gatewayUrl } from '../../kit/gateway.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { networkReason } from '../../kit/network-reason.ts'
import { keysOfMerchant } from '../../signing/merchant-keys.ts'

type Fields = Readonly<Record<string, string>>

interface TriggeredEvent {
  /** Added to a SALE that settles. */
  readonly sale?: Fields
  readonly followUp?: readonly [action: string, fields?: Fields]
  /** The payment starts a chain, which is then charged once. */
  readonly isCharged?: true
  /** What happens by itself later. */
  readonly later?: string
}

const expiry = (month: string, year: string): Fields => ({ card_exp_month: month, card_exp_year: year })
const hold = { auth: 'Y' }

// biome-ignore format: a table is read in columns.
const triggeredEvents = {
  // event           the payment                           then
  settled:         { },
  declined:        { sale: expiry('02', '2038') },
  'declined-soft': { sale: expiry('08', '2038') },
  undecided:       { sale: expiry('04', '2038'),           later: 'The acquirer reports the outcome later.' },
  '3ds':           { sale: expiry('05', '2038'),           later: 'The payment waits for the payer at redirect_url.' },
  redirect:        { sale: expiry('12', '2038'),           later: 'The payment waits for the payer at redirect_url.' },
  expired:         { sale: expiry('05', '2038'),           later: 'It is declined when the payer does not return: "gatehouse clock advance 31m".' },
  authorised:      { sale: hold },
  captured:        { sale: hold,                           followUp: ['CAPTURE'] },
  reversed:        { sale: hold,                           followUp: ['CREDITVOID'] },
  refunded:        { followUp: ['CREDITVOID'] },
  'partly-refunded': { followUp: ['CREDITVOID', { amount: '4.00' }] },
  voided:          { followUp: ['VOID'] },
  'recurring-declined': { sale: { ...expiry('01', '2039'), recurring_init: 'Y' }, isCharged: true },
  chargeback:      { sale: expiry('04', '2040'),           later: 'The bank disputes the payment after a minute.' },
} as const satisfies Readonly<Record<string, TriggeredEvent>>

export type EventName = keyof typeof triggeredEvents

export const eventNames: readonly EventName[] = Object.keys(triggeredEvents).filter(
  (name): name is EventName => name in triggeredEvents,
)

interface EventOptions {
  readonly merchant: string
  readonly mode: 'live' | 'test'
  readonly to: string | null
}

export async function triggerEvent(
  context: CommandContext,
  name: EventName,
  { merchant, mode, to }: EventOptions,
): Promise<Fields> {
  await using instance = await openInstance(context)
  const { key, testKey } = await requireMerchant(instance.pool, merchant)
  const { passwords, digest } = await keysOfMerchant(instance, merchant, {}, 'S2S_CARD')
  const signer = {
    url: `${await gatewayUrl(instance.config)}/post`,
    key: mode === 'live' ? key : testKey,
    password: passwords[0] ?? '',
    digest: digest ?? 'md5',
  } as const
  const order = { order_id: `EVENT-${instance.ids.random(4)}`, ...(to !== null && { callback_url: to }) }
  return sendEvent(signer, name, order)
}

/** Returns the last answer of the service, with a note of what follows by itself. */
export async function sendEvent(signer: Signer, name: EventName, order: Fields): Promise<Fields> {
  const { sale, followUp, isCharged, later }: TriggeredEvent = triggeredEvents[name]
  const signedBy = { email: payer.payer_email, pan10: '4111111111' }
  const paid = await post(signer, cardFormulas.start, signedBy, { action: 'SALE', ...payer, ...order, ...sale })
  const note = later === undefined ? {} : { later }
  if (isCharged) return post(signer, cardFormulas.start, signedBy, chargeOf(paid, order))
  if (!followUp) return { ...paid, ...note }
  const [action, fields] = followUp
  const trans_id = paid['trans_id'] ?? ''
  const answer = await post(signer, cardFormulas.followUp, { ...signedBy, trans_id }, { action, trans_id, ...fields })
  return { ...answer, ...note }
}

/** A RECURRING_SALE of the chain, reported to the same address. */
function chargeOf(paid: Fields, { order_id, ...more }: Fields): Fields {
  const { order_amount, order_description } = payer
  return {
    action: 'RECURRING_SALE',
    order_id: `${order_id}-2`,
    order_amount,
    order_description,
    recurring_init_trans_id: paid['trans_id'] ?? '',
    recurring_token: paid['recurring_token'] ?? '',
    ...more,
  }
}

const payer = {
  order_amount: '10.00',
  order_currency: 'EUR',
  order_description: 'Triggered event',
  card_number: '4111111111111111',
  ...expiry('01', '2038'),
  card_cvv2: '000',
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: 'doe@example.com',
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  term_url_3ds: 'https://shop.example.com/return',
}

interface Signer {
  readonly url: string
  readonly key: string
  readonly password: string
  readonly digest: Digest
}

const answerBody = z.record(z.string(), z.unknown())
const refusalBody = z.object({
  error_message: z.string(),
  errors: z.array(z.object({ error_message: z.string() })),
})
const answerWithinMs = 40_000

async function post(
  { url, key, password, digest }: Signer,
  formula: Formula,
  values: Fields,
  fields: Fields,
): Promise<Fields> {
  const hash = sign(formula, values, { password, digest })
  const body = new URLSearchParams({ ...fields, client_key: key, hash })
  const signal = AbortSignal.timeout(answerWithinMs)
  const reply = await fetch(url, { method: 'POST', body, signal }).catch((error: unknown) => {
    throw new CommandError(
      `The service at ${new URL(url).origin} does not answer: ${networkReason(error)}`,
      'Start it with "npm start".',
    )
  })
  const answer: unknown = await reply.json().catch(() => null)
  if (!reply.ok) {
    const refusal = refusalBody.safeParse(answer).data
    const rows = refusal?.errors.map(({ error_message }) => error_message) ?? []
    const why = [refusal?.error_message ?? `HTTP status ${reply.status}.`, ...rows].join(' ')
    throw new CommandError(`The service refused ${fields['action']}: ${why}`, 'Check the merchant’s MIDs and mappings.')
  }
  return Object.fromEntries(
    Object.entries(answerBody.parse(answer)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
