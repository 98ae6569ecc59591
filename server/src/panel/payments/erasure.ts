/**
 * Erasing one payer at one merchant: names, addresses, card numbers and saved cards go, the record of the money stays. Chapter 50 §5.
 *
 * All of it is one transaction, the audit entry included. What a running payment, a hold, a plan, a command put off or a callback still
 * needs is left alone and told with its reason; the same request later finds it again. The audit log, which is never erased, knows the
 * payer by a fingerprint only: whoever has the address can find the entry, and nobody can find the address.
 */
import { secret } from '#domain/secret.ts'
import type { Clock } from '../../contracts/ports.ts'
import { firstId } from '../../store/database/id-bounds.ts'
import type { PoolClient, Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { savedFilterStore } from '../../store/people/saved-filters.ts'
import { erasePayments } from '../../store/retention/erased-payments.ts'
import { type PayerPayment, paymentsOfPayer, savedCardId, type PayerKey } from '../../store/retention/payer-payments.ts'
import { erasePayerSessions } from '../../store/retention/payer-sessions.ts'
import { removeCards } from '../../store/retention/removed-cards.ts'
import type { Need } from '../../store/retention/still-needed.ts'
import type { Vault } from '../../vault/port.ts'
import { AdminRefused } from '../admin-refused.ts'
import { type AuditNote, note } from '../audit/audit.ts'
import type { Actor } from '../desk.ts'

interface ErasureDesk {
  readonly pool: Queryable
  readonly vault: Pick<Vault, 'fingerprint'>
  readonly clock: Clock
}

export interface ErasureWish {
  readonly merchantId: string
  readonly payer: { readonly email: string } | { readonly cardToken: string }
  /** Tells what would be done, and does nothing. */
  readonly dryRun: boolean
}

interface KeptThing {
  readonly what: 'payment' | 'card' | 'session'
  readonly id: string
  readonly reason: string
}

export interface Erasure {
  /** How the audit log names the payer, whoever asks and however often. */
  readonly reference: string
  readonly payments: number
  readonly callbacks: number
  readonly sessions: number
  readonly cards: number
  readonly savedCards: number
  /** Filters that users of the panel kept and that name the payer's address. */
  readonly savedFilters: number
  readonly kept: readonly KeptThing[]
}

// biome-ignore format: a table is read in columns.
const reasons: Readonly<Record<Need, string>> = {
  running:  'The payment is not finished.',
  hold:     'The hold is neither captured nor released.',
  plan:     'A plan still charges the card. End the plan first.',
  command:  'A deferred capture or retry is waiting.',
  callback: 'A callback is waiting to be delivered.',
}

/** A rehearsal is thrown, to have everything taken back; `asTold` makes an answer of it again. */
export const erasePayer = (desk: ErasureDesk, actor: Actor, wish: ErasureWish): Promise<Erasure> =>
  inTransaction(desk.pool, async (client) => {
    const erasure = await erased(client, desk, wish)
    if (wish.dryRun) throw new Rehearsed(erasure)
    if (!isNothing(erasure)) await note(client, desk.clock, actor, auditNote(wish, erasure))
    return erasure
  })

/** Around whatever transaction the erasure is a part of. */
export async function asTold(erasing: Promise<Erasure>): Promise<Erasure> {
  try {
    return await erasing
  } catch (error) {
    if (error instanceof Rehearsed) return error.erasure
    throw error
  }
}

/** A rehearsal runs the very statements, so that it cannot tell anything else than they do. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
  readonly erasure: Erasure

  constructor(erasure: Erasure) {
    super('Only a rehearsal: nothing is changed.')
    this.erasure = erasure
  }
}

async function erased(client: PoolClient, desk: ErasureDesk, wish: ErasureWish): Promise<Erasure> {
  const { merchantId, payer } = wish
  const now = desk.clock.now()
  const whose = await whoseOf(client, wish)
  const found = await allPayments(client, merchantId, whose)
  const done = await erasePayments(
    client,
    found.filter(({ need }) => need === null),
    now,
  )
  const sessions =
    'email' in payer ? await erasePayerSessions(client, merchantId, payer.email, now) : { erased: 0, open: [] }
  const cardIds = new Set(found.flatMap(({ cardId }) => cardId ?? []).concat('cardId' in whose ? whose.cardId : []))
  const cards = await removeCards(client, merchantId, [...cardIds])
  return {
    reference: referenceOf(desk, wish),
    payments: done.payments,
    callbacks: done.callbacks,
    sessions: done.sessions + sessions.erased,
    cards: cards.cards,
    savedCards: cards.tokens,
    savedFilters: 'email' in payer ? await savedFilterStore(client).removeNaming(payer.email) : 0,
    kept: [
      ...found.flatMap(({ id, need }) => (need === null ? [] : kept('payment', id, reasons[need]))),
      ...cards.kept.flatMap((id) => kept('card', id, 'Remaining payments use this card.')),
      ...sessions.open.flatMap((id) => kept('session', id, 'The session can still be paid.')),
    ],
  }
}

/** Of such a payer there is nothing, or nothing any more. */
export const isNothing = ({
  payments,
  callbacks,
  sessions,
  cards,
  savedCards,
  savedFilters,
  kept: stays,
}: Erasure): boolean => payments + callbacks + sessions + cards + savedCards + savedFilters + stays.length === 0

const kept = (what: KeptThing['what'], id: string, reason: string): readonly KeptThing[] => [{ what, id, reason }]

async function whoseOf(client: PoolClient, { merchantId, payer }: ErasureWish): Promise<PayerKey> {
  if ('email' in payer) return payer
  const cardId = await savedCardId(client, merchantId, payer.cardToken)
  if (cardId === null) throw new AdminRefused('not_found', { message: 'Saved card not found.' })
  return { cardId }
}

const page = 1000

async function allPayments(client: PoolClient, merchantId: string, whose: PayerKey): Promise<readonly PayerPayment[]> {
  const all: PayerPayment[] = []
  for (;;) {
    const found = await paymentsOfPayer(client, merchantId, whose, { after: all.at(-1)?.id ?? firstId, limit: page })
    all.push(...found)
    if (found.length < page) return all
  }
}

function referenceOf({ vault }: ErasureDesk, { merchantId, payer }: ErasureWish): string {
  const named = 'email' in payer ? payer.email.toLowerCase() : payer.cardToken
  return vault.fingerprint(merchantId, 'payer', secret(named)).slice(0, 32)
}

function auditNote({ merchantId, payer }: ErasureWish, { reference, kept: stays, ...counts }: Erasure): AuditNote {
  const after = { by: 'email' in payer ? 'e-mail' : 'saved card', ...counts, kept: stays.length }
  return { action: 'payer.erase', subject: `payer ${reference}`, merchantId, after }
}
