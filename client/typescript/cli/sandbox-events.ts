/** Payments in every state, made at a sandbox so that an integrator's receiver gets the callbacks of each. */
import { type Answer, type CardParameters, type Gatehouse, RefusedError } from '../src/index.ts'

type Sale = Partial<CardParameters['SALE']>

interface SandboxEvent {
  /** Added to a SALE that settles. */
  readonly sale?: Sale
  readonly followUp?: readonly [action: 'CAPTURE' | 'CREDITVOID' | 'VOID', amount?: string]
  /** The payment starts a chain: it is charged once, or put on a daily schedule. */
  readonly chain?: 'charged' | 'scheduled'
  /** Paid with a token of the simulated wallet, which has this fault if any. */
  readonly wallet?: { readonly fault?: string }
  /** What happens by itself later. */
  readonly later?: string
}

const expiry = (month: string, year: string) => ({ card_exp_month: month, card_exp_year: year })
const hold: Sale = { auth: 'Y' }

// biome-ignore format: a table is read in columns.
const sandboxEvents = {
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
  'partly-refunded': { followUp: ['CREDITVOID', '4.00'] },
  voided:          { followUp: ['VOID'] },
  'recurring-declined': { sale: expiry('01', '2039'),      chain: 'charged' },
  'plan-declined': { sale: expiry('01', '2039'),           chain: 'scheduled', later: 'The plan is charged after a day and declined: "gatehouse clock advance 25h".' },
  chargeback:      { sale: expiry('04', '2040'),           later: 'The bank disputes the payment after a minute.' },
  wallet:          { wallet: {} },
  'wallet-fault':  { wallet: { fault: 'cms-truncated' },   later: 'The token was altered, so nothing was charged and no callback follows.' },
} as const satisfies Readonly<Record<string, SandboxEvent>>

export type EventName = keyof typeof sandboxEvents

export const eventNames: readonly EventName[] = Object.keys(sandboxEvents).filter(
  (name): name is EventName => name in sandboxEvents,
)

interface EventOrder {
  readonly order_id: string
  readonly callback_url?: string | undefined
}

/** Of the merchant; `key` and `baseUrl` ask the simulated wallet for a token. */
export interface EventSender {
  readonly gatehouse: Gatehouse
  readonly baseUrl: string
  readonly key: string
}

type Outcome = Readonly<Record<string, string>>

/** Returns the texts of the service's last answer, with a note of what follows by itself. */
export async function makeEvent(sender: EventSender, name: EventName, order: EventOrder): Promise<Outcome> {
  const { gatehouse } = sender
  const { sale, followUp, chain, wallet, later }: SandboxEvent = sandboxEvents[name]
  const note = later === undefined ? {} : { later }
  if (wallet) return { ...(await payByWallet(sender, wallet.fault, order)), ...note }

  const scheduleId = chain === 'scheduled' ? await createSchedule(gatehouse) : undefined
  const paid = await gatehouse.card('SALE', {
    ...payer,
    ...card,
    ...order,
    ...(chain && { recurring_init: 'Y' }),
    ...(scheduleId !== undefined && { schedule_id: scheduleId }),
    ...sale,
  })
  if (chain === 'charged') return textsOf(await chargeChain(gatehouse, paid, order))
  if (!followUp) return { ...textsOf(paid), ...note }
  const [action, amount] = followUp
  const named = { trans_id: paid.trans_id ?? '', ...(amount !== undefined && { amount }) }
  return { ...textsOf(await gatehouse.card(action, named, { payment })), ...note }
}

/** A RECURRING_SALE of the chain, reported to the same address. */
function chargeChain(gatehouse: Gatehouse, paid: Answer, { order_id, ...more }: EventOrder): Promise<Answer> {
  const { order_amount, order_description } = payer
  const chain = { recurring_init_trans_id: paid.trans_id ?? '', recurring_token: paid.recurring_token ?? '' }
  const charge = { order_id: `${order_id}-2`, order_amount, order_description, ...chain, ...more }
  return gatehouse.card('RECURRING_SALE', charge, { payment })
}

async function createSchedule(gatehouse: Gatehouse): Promise<string> {
  const plan = { name: 'Triggered plan', interval_length: 1, interval_unit: 'day', payments_count: 2 } as const
  return (await gatehouse.card('CREATE_SCHEDULE', plan)).schedule_id ?? ''
}

/** A fault is refused with an error, which is the wanted event. */
async function payByWallet(
  { gatehouse, baseUrl, key }: EventSender,
  fault: string | undefined,
  order: EventOrder,
): Promise<Outcome> {
  const { order_amount: amount, order_currency: currency } = payer
  const wish = { wallet: 'walletapay', merchant_key: key, amount, currency, ...(fault !== undefined && { fault }) }
  const reply = await fetch(`${baseUrl}/simulator/api/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
    signal: AbortSignal.timeout(answerWithinMs),
  })
  const { token }: { readonly token?: unknown } = reply.ok ? JSON.parse(await reply.text()) : {}
  if (typeof token !== 'string') throw new TypeError(`The simulated wallet refused a token (HTTP ${reply.status}).`)
  try {
    const parameters = { ...payer, ...order, digital_wallet: 'walletapay', payment_token: token }
    return textsOf(await gatehouse.card('SALE', parameters))
  } catch (error) {
    if (!(error instanceof RefusedError) || fault === undefined) throw error
    return { result: 'ERROR', error_code: String(error.code), error_message: error.message }
  }
}

const answerWithinMs = 20_000

const textsOf = (answer: Answer): Outcome =>
  Object.fromEntries(Object.entries(answer).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

const payer = {
  order_amount: '10.00',
  order_currency: 'EUR',
  order_description: 'Triggered event',
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: 'doe@example.com',
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  term_url_3ds: 'https://shop.example.com/return',
} as const

const card = { card_number: '4111111111111111', ...expiry('01', '2038'), card_cvv2: '000' } as const
const payment = { email: payer.payer_email, card: card.card_number }
