/** What people write on a payment: notes, which stay as they were written, and tags to find payments by. Chapter 70 §5. */

import { isCardNumber } from '#domain/card.ts'
import type { RowKey } from '../../contracts/records.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type PaymentNote, paymentNoteStore } from '../../store/notes/payment-notes.ts'
import { invalid } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'

const notesShown = 200

interface Annotations {
  /** Newest first. */
  readonly notes: readonly PaymentNote[]
  readonly tags: readonly string[]
}

export async function readAnnotations({ pool }: Pick<PanelContext, 'pool'>, payment: RowKey): Promise<Annotations> {
  const store = paymentNoteStore(pool)
  const [notes, tags] = await Promise.all([store.listNotes(payment, notesShown), store.listTags(payment)])
  return { notes, tags }
}

/** The audit log has no text: it is never erased, and a note may name the payer. */
export async function addNote(
  { pool, clock, ids }: PanelContext,
  actor: Actor,
  payment: RowKey,
  text: string,
): Promise<PaymentNote> {
  if (cardNumberIn(text)) throw invalid('text', 'Remove the card number. The last four digits are enough.')
  const written = { id: ids.next(), text, author: actor.label, writtenAt: clock.now() }
  await inTransaction(pool, async (client) => {
    await paymentNoteStore(client).add(payment, written)
    await note(client, clock, actor, {
      action: 'payment.note',
      subject: `payment ${payment.id}`,
      merchantId: payment.merchantId,
      after: { note: written.id },
    })
  })
  return written
}

/** Card data does not belong outside of the vault. Digits may be grouped. */
const cardNumberIn = (text: string): boolean =>
  Array.from(text.matchAll(/[0-9](?:[ -]?[0-9]){11,18}/g)).some(([digits]) =>
    isCardNumber(digits.replaceAll(/[ -]/g, '')),
  )

/** Replaces all tags of the payment. */
export async function replaceTags(
  { pool, clock }: PanelContext,
  actor: Actor,
  payment: RowKey,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const tags = [...new Set(wanted)].toSorted()
  await inTransaction(pool, async (client) => {
    const store = paymentNoteStore(client)
    const before = await store.listTags(payment)
    if (before.join() === tags.join()) return
    await store.setTags(payment, tags, { author: actor.label, at: clock.now() })
    await note(client, clock, actor, {
      action: 'payment.tag',
      subject: `payment ${payment.id}`,
      merchantId: payment.merchantId,
      before: { tags: before },
      after: { tags },
    })
  })
  return tags
}
