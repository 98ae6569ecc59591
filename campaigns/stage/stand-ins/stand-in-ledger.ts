/**
 * The record of a stand-in in the words of the audit: which of our transactions each entry belongs to, and which entries were undone.
 *
 * Every stand-in files a transaction under our id of it, which it decodes where its acquirer's API carries the id in another form.
 */
import { z } from 'zod'
import type { Pool } from '#server/store/database/pool.ts'
import type { Effect, EffectType } from '../acquirer.ts'

const requestedKinds = ['sale', 'authorize', 'capture', 'refund', 'reverse', 'void', 'credit'] as const
const disputeKinds = ['chargeback', 'chargeback-returned'] as const

type RequestedKind = (typeof requestedKinds)[number]

export const standInEntries = z.array(
  z.object({
    transactionId: z.string(),
    kind: z.enum([...requestedKinds, ...disputeKinds]),
    amount: z.string().transform(BigInt),
    currency: z.string(),
    state: z.enum(['executed', 'declined']),
  }),
)
export type StandInEntry = z.infer<typeof standInEntries>[number]

interface OurTransaction {
  readonly id: string
  readonly payment_id: string
  readonly type: string
}

/** By their ids. */
type OurTransactions = ReadonlyMap<string, OurTransaction>

export async function readOurTransactions(pool: Pool): Promise<OurTransactions> {
  const { rows } = await pool.query<OurTransaction>('select id, payment_id, type from transactions')
  return byId(rows)
}

export const byId = (rows: readonly OurTransaction[]): OurTransactions => new Map(rows.map((row) => [row.id, row]))

/** Executed and not undone, oldest first. An entry that no transaction of ours explains keeps its own id, so that the audit reports it. */
export function effectsOf(entries: readonly StandInEntry[], transactions: OurTransactions): readonly Effect[] {
  const effects: { readonly kind: RequestedKind; readonly effect: Effect }[] = []
  for (const [sequence, { transactionId, kind, amount, currency, state }] of entries.entries()) {
    // Campaigns dispute nothing over stand-ins.
    if (state === 'declined' || kind === 'chargeback' || kind === 'chargeback-returned') continue
    const ours = transactions.get(transactionId)
    const { id = transactionId, payment_id = '' } = ours ?? {}
    // What was undone twice stays as an effect, so that the audit reports it.
    const undone = isRelease(kind)
      ? effects.findLastIndex((one) => one.effect.transaction_id === id && !isRelease(one.kind))
      : -1
    if (undone >= 0) {
      effects.splice(undone, 1)
      continue
    }
    const effect = { sequence, type: typeOf(kind, ours), transaction_id: id, payment_id, amount, currency }
    effects.push({ kind, effect })
  }
  return effects.map(({ effect }) => effect)
}

/**
 * The gateway reverses a request without an answer under the id of that request, so that the reversal undoes it. This also applies to refunds: the
 * merchant then keeps the money. A release that the merchant requested has an id of its own.
 */
const isRelease = (kind: RequestedKind): boolean => kind === 'reverse' || kind === 'void'

const givesBack: Readonly<Record<string, EffectType>> = { REFUND: 'refund', REVERSAL: 'reverse', VOID: 'void' }

/** Acquirers differ in what they call money that goes back: the same command is a void at one and a refund at another. */
function typeOf(kind: RequestedKind, ours: OurTransaction | undefined): EffectType {
  const isBack = kind === 'refund' || kind === 'reverse' || kind === 'void'
  return (isBack && givesBack[ours?.type ?? '']) || kind
}
