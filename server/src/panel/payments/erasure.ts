/**
 * Erases one payer at one merchant: names, addresses, card numbers and saved cards are removed, the record of the money stays. Chapter 50
 * §5.
 *
 * Everything is one transaction, including the audit entry. Data that a running payment, a hold, a plan, a deferred command or a callback
 * still needs is left alone and reported with its reason; the same request later finds it again. The audit log, which is never erased,
 * identifies the payer by a fingerprint only: the address leads to the entry, but the entry does not lead to the address.
 */

import { secret } from '#domain/secret.ts'
import { firstId } from '#domain/uuid.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { PoolClient, Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { savedFilterStore } from '../../store/people/saved-filters.ts'
import { erasePayments } from '../../store/retention/erased-payments.ts'
import {
  findSavedCardId,
  listPaymentsOfPayer,
  type PayerKey,
  type PayerPayment,
} from '../../store/retention/payer-payments.ts'
import { erasePayerSessions } from '../../store/retention/payer-sessions.ts'
import { removeCards } from '../../store/retention/removed-cards.ts'
import type { KeepReason } from '../../store/retention/still-needed.ts'
import type { Vault } from '../../vault/port.ts'
import { AdminRefused } from '../admin-refused.ts'
import { type AuditNote, note } from '../audit/audit.ts'
import type { Actor } from '../context.ts'

interface ErasureContext {
  readonly pool: Queryable
  readonly vault: Pick<Vault, 'fingerprint'>
  readonly clock: Clock
}

export interface ErasureRequest {
  readonly merchantId: string
  readonly payer:
    | { readonly kind: 'email'; readonly email: string }
    | { readonly kind: 'card'; readonly cardToken: string }
  /** Reports what would be erased, and erases nothing. */
  readonly dryRun: boolean
}

interface RemainingItem {
  readonly what: 'payment' | 'card' | 'session'
  readonly id: string
  readonly reason: string
}

export interface Erasure {
  /** How the audit log names the payer, the same for every request. */
  readonly reference: string
  readonly payments: number
  readonly callbacks: number
  readonly sessions: number
  readonly cards: number
  readonly savedCards: number
  /** Saved filters of panel users that contain the payer's address. */
  readonly savedFilters: number
  readonly kept: readonly RemainingItem[]
}

// biome-ignore format: a table is read in columns.
const reasons: Readonly<Record<KeepReason, string>> = {
  running:  'The payment is not finished.',
  hold:     'The hold is neither captured nor released.',
  plan:     'A plan still charges the card. End the plan first.',
  command:  'A deferred capture or retry is waiting.',
  callback: 'A callback is waiting to be delivered.',
}

/** A dry run throws its result to roll everything back; `resolveDryRun` catches it again. */
export const erasePayer = (context: ErasureContext, actor: Actor, wish: ErasureRequest): Promise<Erasure> =>
  inTransaction(context.pool, async (client) => {
    const erasure = await erase(client, context, wish)
    if (wish.dryRun) throw new DryRunDone(erasure)
    if (!isEmptyErasure(erasure)) await note(client, context.clock, actor, auditNote(wish, erasure))
    return erasure
  })

/** Wrap it around the outermost transaction that the erasure is part of. */
export async function resolveDryRun(erasing: Promise<Erasure>): Promise<Erasure> {
  try {
    return await erasing
  } catch (error) {
    if (error instanceof DryRunDone) return error.erasure
    throw error
  }
}

/** A dry run executes the same statements, so that its report cannot differ. */
class DryRunDone extends Error {
  override readonly name = 'Rehearsed'
  readonly erasure: Erasure

  constructor(erasure: Erasure) {
    super('Only a rehearsal: nothing is changed.')
    this.erasure = erasure
  }
}

async function erase(client: PoolClient, context: ErasureContext, wish: ErasureRequest): Promise<Erasure> {
  const { merchantId, payer } = wish
  const now = context.clock.now()
  const whose = await requirePayerKey(client, wish)
  const found = await listAllPayments(client, merchantId, whose)
  const done = await erasePayments(
    client,
    found.filter(({ need }) => need === null),
    now,
  )
  const sessions =
    payer.kind === 'email' ? await erasePayerSessions(client, merchantId, payer.email, now) : { erased: 0, open: [] }
  const cardIds = new Set(found.flatMap(({ cardId }) => cardId ?? []).concat(whose.kind === 'card' ? whose.cardId : []))
  const cards = await removeCards(client, merchantId, [...cardIds])
  return {
    reference: referenceOf(context, wish),
    payments: done.payments,
    callbacks: done.callbacks,
    sessions: done.sessions + sessions.erased,
    cards: cards.cards,
    savedCards: cards.tokens,
    savedFilters: payer.kind === 'email' ? await savedFilterStore(client).removeNaming(payer.email) : 0,
    kept: [
      ...found.flatMap(({ id, need }) => (need === null ? [] : remainingItem('payment', id, reasons[need]))),
      ...cards.kept.flatMap((id) => remainingItem('card', id, 'Remaining payments use this card.')),
      ...sessions.open.flatMap((id) => remainingItem('session', id, 'The session can still be paid.')),
    ],
  }
}

/** The payer has no data, or none any more. */
export const isEmptyErasure = ({
  payments,
  callbacks,
  sessions,
  cards,
  savedCards,
  savedFilters,
  kept: stays,
}: Erasure): boolean => payments + callbacks + sessions + cards + savedCards + savedFilters + stays.length === 0

const remainingItem = (what: RemainingItem['what'], id: string, reason: string): readonly RemainingItem[] => [
  { what, id, reason },
]

async function requirePayerKey(client: PoolClient, { merchantId, payer }: ErasureRequest): Promise<PayerKey> {
  if (payer.kind === 'email') return payer
  const cardId = await findSavedCardId(client, merchantId, payer.cardToken)
  if (cardId === null) throw new AdminRefused('not_found', { message: 'Saved card not found.' })
  return { kind: 'card', cardId }
}

const page = 1000

async function listAllPayments(
  client: PoolClient,
  merchantId: string,
  whose: PayerKey,
): Promise<readonly PayerPayment[]> {
  const all: PayerPayment[] = []
  for (;;) {
    const found = await listPaymentsOfPayer(client, merchantId, whose, {
      after: all.at(-1)?.id ?? firstId,
      limit: page,
    })
    all.push(...found)
    if (found.length < page) return all
  }
}

function referenceOf({ vault }: ErasureContext, { merchantId, payer }: ErasureRequest): string {
  const named = payer.kind === 'email' ? payer.email.toLowerCase() : payer.cardToken
  return vault.fingerprint(merchantId, 'payer', secret(named)).slice(0, 32)
}

function auditNote({ merchantId, payer }: ErasureRequest, { reference, kept: stays, ...counts }: Erasure): AuditNote {
  const after = { by: payer.kind === 'email' ? 'e-mail' : 'saved card', ...counts, kept: stays.length }
  return { action: 'payer.erase', subject: `payer ${reference}`, merchantId, after }
}
