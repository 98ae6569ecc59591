/** Invalid amounts and currencies, sent on S2S CARD, S2S APM and Checkout, and never accepted. */
import { apmSale } from '../stage/apm-requests.ts'
import { askForSession } from '../stage/checkout-requests.ts'
import type { Reply } from '../stage/merchant.ts'
import { only, type Stage } from '../stage/stage.ts'
import type { Iso } from './iso-4217.ts'

interface BadAmounts {
  readonly sent: number
  readonly accepted: readonly string[]
}

/** Invalid in every currency. */
// biome-ignore format: a list is read in lines.
const invalidEverywhere = [
  '', ' ', '0', '0.00', '-5', '-0.01', '+5', '1e3', '1E3', '01', '007.00', '1,000', '1,000.00', '1.000,00', '1 000', '1_000', '.5', '5.', '5..0',
  '0x10', '1000000000000', '99999999999999999999', 'NaN', 'Infinity', '١٢', '１２', '1\u0000', '5 EUR', '5\n', '1/2', 'null',
]

/** Currencies with decimals get one too many; those without get a half. */
const tooPrecise = (decimals: number): string => (decimals === 0 ? '1.5' : `1.${'0'.repeat(decimals)}1`)

export async function findAcceptedAmounts(
  stage: Stage,
  currencies: readonly Iso[],
  uncountable: readonly string[],
): Promise<BadAmounts> {
  const perCurrency = currencies.flatMap(({ code, decimals }) =>
    [tooPrecise(decimals ?? 0), '1e3', '-1', '01'].map((amount) => [amount, code] as const),
  )
  const all: readonly (readonly [string, string])[] = [
    ...invalidEverywhere.flatMap((amount) => ['EUR', 'JPY', 'KWD'].map((code) => [amount, code] as const)),
    ...perCurrency,
    ...[...uncountable, 'EURO', 'eur', 'E1R', 'ZZZ', '978', ''].map((code) => ['10', code] as const),
  ]
  const accepted: string[] = []
  const waiting = all.entries()
  const lane = async (): Promise<void> => {
    for (const [index, [amount, code]] of waiting) accepted.push(...(await attempt(stage, index, amount, code)))
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  return { sent: all.length * ways, accepted }
}

const ways = 3

async function attempt(stage: Stage, index: number, amount: string, code: string): Promise<readonly string[]> {
  const { url } = only(stage.apis)
  const { merchant } = stage
  const order = { order_amount: amount, order_currency: code }
  const replies = await Promise.all([
    merchant.sale(url, `bad-card-${index}`, order),
    apmSale(stage, url, `bad-apm-${index}`, { over: order }),
    askForSession(merchant, url, { number: `bad-checkout-${index}`, amount, currency: code }),
  ])
  return replies.flatMap((reply) =>
    isRefused(reply) ? [] : [`${JSON.stringify(amount)} ${code}: ${JSON.stringify(reply)}`],
  )
}

/** Refused by the gateway itself with a client error: not by the acquirer, and not by a failure. */
const isRefused = (reply: Reply): boolean => reply.answered && reply.http >= 400 && reply.http < 500
