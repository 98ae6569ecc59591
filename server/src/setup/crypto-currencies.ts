/** The operator's table of crypto currencies. Chapter 20 §2. */
import type { Brand } from '#domain/brand/brand.ts'
import { type CryptoCurrencyReading, readCryptoCurrencies } from '#domain/brand/crypto-currency.ts'
import { cryptoExponents, type Exponents } from '#domain/money/currencies.ts'
import { readCatalogue } from '../store/configuration/brand-catalogue.ts'
import { cryptoCurrencyStore } from '../store/configuration/crypto-currencies.ts'
import { inTransaction } from '../store/database/transaction.ts'
import type { SetupContext } from './context.ts'

/**
 * Adds a currency, changes its decimals, or removes it with null. Payments store their decimals, but a Checkout order does not, so a
 * currency cannot change while an order in it can still be paid.
 */
export async function changeCryptoCurrency(
  { pool, clock }: Pick<SetupContext, 'pool' | 'clock'>,
  code: string,
  decimals: number | null,
): Promise<CryptoCurrencyReading> {
  const brand = decimals === null ? await findBrandWith(pool, code) : undefined
  if (brand !== undefined) return refuse(`The brand ${brand} uses ${code}. Remove it from the brand first.`)
  return inTransaction(pool, async (client) => {
    const store = cryptoCurrencyStore(client)
    const before = tableOf(await store.lock())
    if (decimals === null && !before.has(code)) return refuse(`${code} is not in the table.`)
    if (before.has(code) && before.get(code) !== decimals && (await store.isOrdered(code, clock.now())))
      return refuse(`An order in ${code} can still be paid. Change the currency when its session has ended.`)
    const others = [...before].filter(([one]) => one !== code)
    const entries = decimals === null ? others : [...others, [code, decimals] as const]
    const reading = readCryptoCurrencies(Object.fromEntries(entries))
    if (reading.ok) await store.put(reading.table)
    return reading
  })
}

const refuse = (fault: string): CryptoCurrencyReading => ({ ok: false, faults: [fault] })

/** A brand that names the currency; its record would become invalid without it. */
async function findBrandWith(pool: SetupContext['pool'], currency: string): Promise<string | undefined> {
  const { brands } = await readCatalogue(pool)
  const names = ({ currencies, amountLimits }: Brand) => [...currencies, ...Object.keys(amountLimits)]
  return brands.find((brand) => names(brand).includes(currency))?.code
}

/** An invalid table is ignored, as it is for payments. */
function tableOf(stored: unknown): Exponents {
  const reading = stored === null ? null : readCryptoCurrencies(stored)
  return reading?.ok ? reading.table : cryptoExponents
}
