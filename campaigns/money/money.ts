/**
 * Every currency of ISO 4217, with the smallest amount, a usual one, one without trailing zeros, and the largest: the amount stays the same
 * from the form through the database, the acquirer, the ledger and the callback to the look-up and a partial refund. The same on Checkout,
 * as a text and as a JSON number. And no invalid amount is accepted. Chapter 10 §2.1, chapter 30 §3.3.
 */
import { z } from 'zod'
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import type { Effect } from '../stage/acquirer.ts'
import { audit } from '../stage/audit.ts'
import { openSession, refundOnCheckout, statusOnCheckout } from '../stage/checkout-requests.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import { type Iso, inFull, isoCurrencies, minorOf } from './iso-4217.ts'
import { findAcceptedAmounts } from './money-bad-amounts.ts'

export const money: Campaign = {
  name: 'money',
  asserts:
    'amounts in every ISO 4217 currency are identical in form, JSON, database, acquirer, ledger, callback and refund.',
  sizes: { currencies: 1000, lanes: 6 },
  quick: { currencies: 6 },
  run,
  plantedFault: {
    what: 'the acquirer is sent a tenth of every amount with three decimals',
    seenIn: 'round trips that differ',
    patches: [
      {
        file: 'server/src/connectors/sandbox/request.ts',
        find: 'amount: String(order.amountMinor)',
        replace: "amount: String(order.currency === 'KWD' ? order.amountMinor / 10n : order.amountMinor)",
      },
    ],
  },
}

const settleWithinMs = 60_000

/** First one of each number of decimals, then the others alphabetically. */
const first = ['KWD', 'EUR', 'JPY', 'CLF', 'XAF', 'UGX']

interface CurrencyDecimals extends Iso {
  readonly decimals: number
}

async function run(terms: Terms): Promise<Findings> {
  const all = isoCurrencies()
  const countable = all.filter(isCountable).toSorted((one, other) => rank(one) - rank(other))
  const chosen = countable.slice(0, sizeOf(terms, 'currencies'))
  await using stage = await openStage({ apis: 1, workers: 1, database: terms.database, sharedAuthority: true })
  const trips: Trip[] = []
  const waiting = chosen.values()
  const lane = async (): Promise<void> => {
    for (const currency of waiting) trips.push(...(await tripsOf(stage, currency)))
  }
  await Promise.all(Array.from({ length: sizeOf(terms, 'lanes') }, lane))
  const uncountable = all.filter((currency) => !isCountable(currency)).map(({ code }) => code)
  const bad = await findAcceptedAmounts(stage, chosen, uncountable)
  await until(() => isQuiet(stage), settleWithinMs)

  const effects = Map.groupBy(await stage.acquirer.ledger(), ({ payment_id }) => payment_id)
  const disagreeing = (await Promise.all(trips.map((trip) => faultsOf(stage, trip, effects.get(trip.id) ?? [])))).flat()
  return joinFindings(
    {
      figures: [
        { name: 'currencies', value: chosen.length },
        {
          name: 'of which with 0 / 2 / 3 / 4 decimals',
          value: [0, 2, 3, 4].map((n) => withDecimals(chosen, n)).join(' / '),
        },
        { name: 'round trips', value: trips.length },
        { name: 'round trips that differ', value: disagreeing.length, must: 0 },
        { name: 'bad amounts and currencies sent', value: bad.sent },
        { name: 'bad amounts accepted', value: bad.accepted.length, must: 0 },
      ],
      faults: [...disagreeing, ...bad.accepted],
    },
    auditFigures(await audit(stage)),
  )
}

const isCountable = (currency: Iso): currency is CurrencyDecimals => currency.decimals !== null

const rank = ({ code }: Iso): number => (first.includes(code) ? first.indexOf(code) : first.length)

const withDecimals = (currencies: readonly Iso[], decimals: number): number =>
  currencies.filter((currency) => currency.decimals === decimals).length

/** One payment and what is expected of it. */
interface Trip {
  readonly what: string
  readonly id: string
  readonly currency: string
  readonly minor: bigint
  /** In full, as answers and callbacks of S2S show it. */
  readonly text: string
  readonly reported: readonly (string | undefined)[]
  readonly refundMinor: bigint | null
  readonly refundText: string
}

async function tripsOf(stage: Stage, currency: CurrencyDecimals): Promise<readonly Trip[]> {
  const trips: Trip[] = []
  for (const amount of amountsOf(currency)) trips.push(await byForm(stage, currency, amount))
  for (const amountIsNumber of [false, true]) trips.push(await byCheckout(stage, currency, amountIsNumber))
  return trips
}

/** The smallest, a usual one with every decimal, one without trailing zeros, the largest that the syntax allows. */
function amountsOf({ decimals }: CurrencyDecimals): readonly string[] {
  const digits = '123456'.slice(0, decimals)
  const twoZeros = decimals === 0 ? ['700.00'] : []
  const all = [
    smallest(decimals),
    inFull(`1234.${digits}`, decimals),
    '10',
    inFull(`999999999999.${'9'.repeat(decimals)}`, decimals),
  ]
  return [...all, ...twoZeros]
}

const smallest = (decimals: number): string => (decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`)

/** Two zeros that were sent with a currency without decimals are returned. */
const expectedText = (amount: string, decimals: number): string =>
  decimals === 0 && amount.endsWith('.00') ? amount : inFull(amount, decimals)

const saleSchema = z.object({ trans_id: z.string(), amount: z.string(), currency: z.string() })
const detailsSchema = z.object({ amount: z.string(), currency: z.string() })

async function byForm(stage: Stage, { code, decimals }: CurrencyDecimals, amount: string): Promise<Trip> {
  const { url } = only(stage.apis)
  const { merchant } = stage
  const orderId = `${code}-${amount}`
  const sale = await merchant.sale(url, orderId, { order_amount: amount, order_currency: code })
  const sold = saleSchema.safeParse(sale.answered ? JSON.parse(sale.text) : null).data
  const trip = { what: `${amount} ${code}`, id: sold?.trans_id ?? '', currency: code, minor: minorOf(amount, decimals) }
  const text = expectedText(amount, decimals)
  if (!sold) return { ...trip, text, reported: [JSON.stringify(sale)], refundMinor: null, refundText: '' }

  const seen = await merchant.followUp(url, 'GET_TRANS_DETAILS', sold.trans_id)
  const details = detailsSchema.safeParse(seen.answered ? JSON.parse(seen.text) : null).data
  const refundText = amount.endsWith('.00') && decimals === 0 ? '1.00' : smallest(decimals)
  await merchant.followUp(url, 'CREDITVOID', sold.trans_id, { amount: refundText })
  const amounts = [sold.amount, details?.amount]
  const currencies = [sold.currency, details?.currency]
  return {
    ...trip,
    text,
    reported: currencies.every((one) => one === code) ? amounts : [...amounts, `currency ${currencies.join(', ')}`],
    refundMinor: 1n,
    refundText,
  }
}

const processedSchema = z.object({ public_id: z.string() })

async function byCheckout(stage: Stage, { code, decimals }: CurrencyDecimals, amountIsNumber: boolean): Promise<Trip> {
  const { url } = only(stage.apis)
  const { merchant } = stage
  // A JSON number with a trailing zero: its literal text was signed.
  const amount = inFull(`52.${'1'.repeat(Math.max(0, decimals - 1))}`, decimals)
  const number = `checkout-${code}-${amountIsNumber ? 'number' : 'text'}`
  const fields = await openSession(merchant, url, { number, amount, amountIsNumber, currency: code })
  await fields.enterCard(url)
  const reply = await fields.process(url)
  const id = processedSchema.safeParse(reply.answered ? JSON.parse(reply.text) : null).data?.public_id
  const trip = { what: `${number} ${amount}`, currency: code, minor: minorOf(amount, decimals), text: amount }
  if (id === undefined) return { ...trip, id: '', reported: [JSON.stringify(reply)], refundMinor: null, refundText: '' }

  const { order } = await statusOnCheckout(merchant, url, id)
  await refundOnCheckout(merchant, url, { payment_id: id, amount: smallest(decimals) })
  return {
    ...trip,
    id,
    reported: [order.currency === code ? order.amount : order.currency],
    refundMinor: 1n,
    refundText: '',
  }
}

/** Everything that all parties know about the payment. */
async function faultsOf({ pool, receiver }: Stage, trip: Trip, effects: readonly Effect[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ amount_minor: bigint; currency: string; refunded_minor: bigint; posted: bigint }>(
    `select amount_minor, currency, refunded_minor,
       (select coalesce(sum(amount_minor), 0) from ledger_entries where payment_id = payments.id and from_account = 'payer') as posted
     from payments where id = $1`,
    [trip.id === '' ? '00000000-0000-0000-0000-000000000000' : trip.id],
  )
  const [row] = rows
  const callbacks = receiver.arrivals.filter(({ paymentId }) => paymentId === trip.id).map(({ fields }) => fields)
  const sold = callbacks.find((fields) => ['SALE', 'sale'].includes(fields.get('action') ?? fields.get('type') ?? ''))
  const refunded = callbacks.find((fields) => fields.get('action') === 'CREDITVOID')
  const effect = effects.find(({ type }) => type === 'sale')
  const refund = effects.find(({ type }) => type === 'refund')

  // biome-ignore format: a table is read in columns.
  const seen: readonly (readonly [string, unknown, unknown])[] = [
    ['row',               row?.amount_minor,                                         trip.minor],
    ['row, currency',     row?.currency,                                             trip.currency],
    ['row, refunded',     row?.refunded_minor,                                       trip.refundMinor],
    ['ledger',            BigInt(row?.posted ?? -1n),                                trip.minor],
    ['acquirer',          effect?.amount,                                            trip.minor],
    ['acquirer, currency', effect?.currency,                                         trip.currency],
    ['acquirer, refund',  refund?.amount ?? null,                                    trip.refundMinor],
    ['callback',          sold?.get('amount') ?? sold?.get('order_amount'),          trip.text],
    ['callback, currency', sold?.get('currency') ?? sold?.get('order_currency'),     trip.currency],
    ...(trip.refundText === '' ? [] : [['callback of the refund', refunded?.get('amount'), trip.refundText] as const]),
    ...trip.reported.map((text) => ['answer', text, trip.text] as const),
  ]
  return seen
    .filter(([, found, wanted]) => found !== wanted)
    .map(([where, found, wanted]) => `${trip.what}: ${where} has ${String(found)}, not ${String(wanted)}`)
}
