/** The report of the margin: sales, the operator's fees and the acquirers' fees per merchant, MID and currency. Chapter 70 §3. */
import { exponentOf } from '#domain/money/money.ts'
import type { Configuration } from '../../contracts/ports.ts'
import type { Pool } from '../../store/database/pool.ts'
import { listMerchantIds } from '../../store/exports/movements.ts'
import { marginStore } from '../../store/finance/margin.ts'
import { dayAfter, startOf } from '../finance/statements.ts'

interface MarginWish {
  /** Null for all, with what the acquirers charged for no transaction of ours. */
  readonly merchantId: string | null
  readonly from: string
  readonly to: string
}

interface MarginKey {
  readonly merchantId: string | null
  readonly midId: string | null
  readonly currency: string
}

interface MarginRow extends MarginKey {
  readonly merchant: string | null
  readonly mid: string | null
  readonly decimals: number
  readonly salesMinor: bigint
  readonly feesMinor: bigint
  readonly acquirerFeesMinor: bigint
  readonly marginMinor: bigint
}

interface Part extends MarginKey {
  readonly salesMinor: bigint
  readonly feesMinor: bigint
  readonly acquirerFeesMinor: bigint
}

interface MarginSource {
  readonly pool: Pool
  readonly configuration: Pick<Configuration, 'merchant' | 'mid' | 'cryptoCurrencies'>
}

export async function readMarginsFor(
  { pool, configuration }: MarginSource,
  wish: MarginWish,
): Promise<readonly MarginRow[]> {
  const [from, before] = [startOf(wish.from), startOf(dayAfter(wish.to))]
  const store = marginStore(pool)
  const parts: Part[] = []
  for (const merchantId of wish.merchantId === null ? await listMerchantIds(pool) : [wish.merchantId]) {
    const charged = await store.sumCharges(merchantId, from, before)
    const keptFees = await store.listAcquirerFees(merchantId, from, before)
    parts.push(...charged.map((one) => ({ ...one, merchantId, acquirerFeesMinor: 0n })))
    parts.push(...keptFees.map((one) => keptPart(merchantId, one)))
  }
  if (wish.merchantId === null)
    parts.push(...(await store.listOtherAcquirerFees(from, before)).map((one) => keptPart(null, one)))
  const crypto = configuration.cryptoCurrencies()
  return [...Map.groupBy(parts, keyOf).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const sum = (of: (one: Part) => bigint): bigint => same.reduce((total, one) => total + of(one), 0n)
    const [salesMinor, feesMinor] = [sum((one) => one.salesMinor), sum((one) => one.feesMinor)]
    const acquirerFeesMinor = sum((one) => one.acquirerFeesMinor)
    const { merchantId, midId, currency } = first
    if (salesMinor === 0n && feesMinor === 0n && acquirerFeesMinor === 0n) return []
    return [
      {
        merchantId,
        merchant: merchantId === null ? null : (configuration.merchant(merchantId)?.name ?? null),
        midId,
        mid: midId === null ? null : (configuration.mid(midId)?.name ?? null),
        currency,
        decimals: exponentOf(currency, crypto) ?? 2,
        salesMinor,
        feesMinor,
        acquirerFeesMinor,
        marginMinor: feesMinor - acquirerFeesMinor,
      },
    ]
  })
}

function keptPart(
  merchantId: string | null,
  { midId, currency, feesMinor }: Omit<Part, 'merchantId' | 'salesMinor' | 'acquirerFeesMinor'>,
): Part {
  return { merchantId, midId, currency, salesMinor: 0n, feesMinor: 0n, acquirerFeesMinor: feesMinor }
}

const keyOf = ({ merchantId, midId, currency }: MarginKey): string => `${merchantId} ${midId} ${currency}`
