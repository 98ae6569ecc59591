/**
 * Compares our record with the acquirer's own. Chapter 50 §8.
 *
 * The sandbox acquirer publishes what it executed, so an instance with a sandbox is compared with it, entry by entry. No other acquirer
 * offers such a list: its record is its settlement files (`money-checks.ts`), and before the first one there is no light.
 */
import { z } from 'zod'
import { type ComparedTransaction, listComparedTransactions } from '../../store/payments/compared-transactions.ts'
import type { PanelContext } from '../panel-context.ts'

interface Disagreement {
  readonly merchantId: string | null
  readonly paymentId: string
  readonly text: string
}

interface Comparison {
  /** Effects that the acquirer reported. */
  readonly compared: number
  readonly disagreements: readonly Disagreement[]
}

const newestEffects = 5_000
const waitMs = 5_000

const summarySchema = z.object({ entries: z.number() })
const effectSchema = z.object({
  at: z.iso.datetime(),
  type: z.string(),
  transaction_id: z.uuid(),
  payment_id: z.uuid(),
  amount: z.string().regex(/^[0-9]+$/),
})
type Effect = z.infer<typeof effectSchema>

/** Null if there is no acquirer to ask, or it does not answer: that is no disagreement. */
export async function compareWithAcquirer(
  { pool, sandboxUrl, clock }: Pick<PanelContext, 'pool' | 'sandboxUrl' | 'clock'>,
  merchantIds: readonly string[] | null,
): Promise<Comparison | null> {
  if (sandboxUrl === null) return null
  const effects = await fetchNewestEffects(sandboxUrl)
  if (effects === null) return null
  const paymentIds = [...new Set(effects.map(({ payment_id }) => payment_id))]
  const ours = await listComparedTransactions(pool, paymentIds, merchantIds)
  const known = new Set(ours.map(({ id }) => id))
  // A merchant is shown the count of its own transactions, not that of the platform.
  const compared = merchantIds === null ? effects : effects.filter(({ transaction_id }) => known.has(transaction_id))
  return { compared: compared.length, disagreements: disagreements(effects, ours, merchantIds === null, clock.now()) }
}

/** A transaction may have been executed a moment ago, with its outcome not stored yet. */
const settlingMs = 60_000

// biome-ignore format: a table is read in columns.
const effectTypes: Readonly<Record<string, readonly string[]>> = {
  // ours      the acquirer's; absent types happen without an acquirer
  SALE:        ['sale'],
  AUTH:        ['authorize'],
  DEBIT:       ['debit'],
  CREDIT:      ['credit'],
  TRANSFER:    ['transfer'],
  RETRY:       ['sale', 'authorize', 'debit'],
  CAPTURE:     ['capture'],
  REFUND:      ['refund'],
  REVERSAL:    ['reverse'],
  VOID:        ['void'],
}

/** An effect that only the acquirer knows belongs to no merchant of ours, and is shown to users with all merchants. */
function disagreements(
  effects: readonly Effect[],
  ours: readonly ComparedTransaction[],
  seesAll: boolean,
  now: Date,
): readonly Disagreement[] {
  const own = effects.filter(({ type }) => type !== 'chargeback' && type !== 'lapse')
  const executed = Map.groupBy(own, ({ transaction_id }) => transaction_id)
  const known = new Map(ours.map((transaction) => [transaction.id, transaction]))
  const isFresh = (at: string): boolean => now.getTime() - Date.parse(at) < settlingMs
  const unknown = own
    .filter(({ transaction_id, at }) => seesAll && !known.has(transaction_id) && !isFresh(at))
    .map(({ payment_id, transaction_id, type, amount }) => ({
      merchantId: null,
      paymentId: payment_id,
      text: `The acquirer executed ${type} ${transaction_id} of ${amount}, which this instance does not have.`,
    }))
  return [
    ...unknown,
    ...ours.flatMap((transaction) => differences(transaction, executed.get(transaction.id) ?? [], isFresh)),
  ]
}

function differences(
  transaction: ComparedTransaction,
  effects: readonly Effect[],
  isFresh: (at: string) => boolean,
): readonly Disagreement[] {
  const { id, type, state, amountMinor, merchantId, paymentId } = transaction
  const [effect] = effects
  if (effect === undefined) return []
  const disagreement = (text: string): readonly Disagreement[] => [
    { merchantId, paymentId, text: `${type} ${id}: ${text}` },
  ]
  if (effects.length > 1) return disagreement(`executed ${effects.length} times by the acquirer.`)
  if (state === 'fail') return disagreement('executed by the acquirer, failed in our record.')
  if (state !== 'success')
    return isFresh(effect.at) ? [] : disagreement(`executed by the acquirer, ${state} in our record.`)
  if (effectTypes[type]?.includes(effect.type) !== true) return disagreement(`the acquirer calls it ${effect.type}.`)
  if (BigInt(effect.amount) !== amountMinor)
    return disagreement(`${amountMinor} in our record, ${effect.amount} in the acquirer’s.`)
  return []
}

async function fetchNewestEffects(sandboxUrl: string): Promise<readonly Effect[] | null> {
  const summary = summarySchema.safeParse(await fetchJson(`${sandboxUrl}/ledger/summary`))
  if (!summary.success) return null
  const since = Math.max(0, summary.data.entries - newestEffects)
  const ledger = z
    .object({ entries: z.array(effectSchema) })
    .safeParse(await fetchJson(`${sandboxUrl}/ledger?since=${since}&limit=${newestEffects}`))
  return ledger.success ? ledger.data.entries : null
}

async function fetchJson(url: string): Promise<unknown> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(waitMs) })
    return reply.ok ? await reply.json() : null
  } catch {
    return null
  }
}
