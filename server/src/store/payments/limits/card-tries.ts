/** Retries of a card, counted like limits in the statement that writes the intent: a constraint refuses one beyond the budget; see `limit-uses.ts`. */
import type { CardTry } from '../../../contracts/records.ts'

export const tryingWidth = 4

/** A table expression that uses one of a card's retries; the statement's first parameter is the merchant. */
export const tryingText = (first: number, from: string): string =>
  `tried as (
     insert into card_tries as held (merchant_id, card_id, tries, has_room)
     select $1, $${first}::uuid, array[$${first + 1}::timestamptz], true from ${from}
     on conflict (merchant_id, card_id) do update set
       tries = array(select at from unnest(held.tries) as at where at > (select min(since) from unnest($${first + 2}::timestamptz[]) as since))
         || excluded.tries,
       has_room = not exists (
         select 1 from unnest($${first + 2}::timestamptz[], $${first + 3}::int[]) as time (since, most)
         where (select count(*) from unnest(held.tries) as at where at > time.since) >= time.most
       )
   )`

export const tryingParams = ({ cardId, windows }: CardTry, at: Date): readonly unknown[] => [
  cardId,
  at,
  windows.map(({ since }) => since),
  windows.map(({ most }) => most),
]
