/** Notes and tags that people write on payments. Chapter 70 §5. */
import type { RowKey } from '#server/contracts/records.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export interface PaymentNote {
  readonly id: string
  readonly text: string
  readonly author: string
  readonly writtenAt: Date
}

const listNotes = sql<PaymentNote, readonly [string, string, number]>(
  'note.list',
  `select id, text, author, written_at as "writtenAt" from payment_notes
   where merchant_id = $1 and payment_id = $2 order by id desc limit $3`,
)
const addNote = sql<Nothing, readonly [string, string, string, string, string, Date]>(
  'note.add',
  'insert into payment_notes (merchant_id, payment_id, id, text, author, written_at) values ($1, $2, $3, $4, $5, $6)',
)
const listTags = sql<{ tag: string }, readonly [string, string]>(
  'tag.list',
  'select tag from payment_tags where merchant_id = $1 and payment_id = $2 order by tag',
)
const addTags = sql<Nothing, readonly [string, string, readonly string[], string, Date]>(
  'tag.add',
  `insert into payment_tags (merchant_id, payment_id, tag, author, tagged_at)
   select $1, $2, tag, $4, $5 from unnest($3::text[]) as tag on conflict do nothing`,
)
const removeTags = sql<Nothing, readonly [string, string, readonly string[]]>(
  'tag.remove',
  'delete from payment_tags where merchant_id = $1 and payment_id = $2 and tag <> all($3::text[])',
)

export const paymentNoteStore = (on: Queryable) => ({
  /** Newest first. */
  listNotes: ({ merchantId, id }: RowKey, limit: number): Promise<readonly PaymentNote[]> =>
    query(on, listNotes, [merchantId, id, limit]),
  add: async ({ merchantId, id }: RowKey, note: PaymentNote): Promise<void> => {
    await query(on, addNote, [merchantId, id, note.id, note.text, note.author, note.writtenAt])
  },
  listTags: async ({ merchantId, id }: RowKey): Promise<readonly string[]> =>
    (await query(on, listTags, [merchantId, id])).map(({ tag }) => tag),
  setTags: async (
    { merchantId, id }: RowKey,
    tags: readonly string[],
    { author, at }: { readonly author: string; readonly at: Date },
  ): Promise<void> => {
    await query(on, removeTags, [merchantId, id, tags])
    await query(on, addTags, [merchantId, id, tags, author, at])
  },
})
