/**
 * Intents of concurrent requests in one statement. See decisions/database#groups.
 *
 * Only payments that touch no row of others: no session, no cascade, no plan, no limit, no retry budget, no wallet token. If a claim or a
 * unique index refuses one of them, the whole statement changes nothing and each payment is written alone.
 */
import type { Opening } from '../../../contracts/records.ts'
import { type Pool, query, type Statement, sql } from '../../database/pool.ts'
import {
  type Claim,
  claimedPayment,
  claimedTransaction,
  claimSuffix,
  claimsOfAll,
  claimTexts,
} from '../../months/claims.ts'
import { cardInsertion, paymentInsertion, transactionInsertion } from '../payment-rows.ts'

type Rows = readonly [payments: string, cards: string, transactions: string]

const statements = new Map<string, Statement<{ id: string }, Rows>>()

/** A group without claims, which is the usual one, has no expressions for them. */
function statementOf(claims: readonly Claim[]): Statement<{ id: string }, Rows> {
  const name = `payment.open-group${claimSuffix(claims)}`
  const statement = statements.get(name) ?? sql<{ id: string }, Rows>(name, textOf(claims))
  statements.set(name, statement)
  return statement
}

const textOf = (claims: readonly Claim[]): string => {
  const parts = [
    `payment as (
     ${paymentInsertion.groupText('$1')} returning ${claims.length > 0 ? claimedPayment : 'id'}
   )`,
    `card as (
     ${cardInsertion.groupText('$2')} on conflict do nothing
   )`,
    `transaction as (
     ${transactionInsertion.groupText('$3')}${claims.includes('use') ? ` returning ${claimedTransaction}` : ''}
   )`,
    ...claimTexts(claims, null),
  ]
  return `with ${parts.join(', ')}\n   select id from payment`
}

/** All are opened, or the statement fails. */
export async function openTogether(pool: Pool, openings: readonly Opening[]): Promise<void> {
  const cards = openings.flatMap(({ card, payment: { createdAt } }) => (card ? [{ ...card, createdAt }] : []))
  await query(pool, statementOf(claimsOfAll(openings)), [
    paymentInsertion.groupValue(openings.map(({ payment }) => payment)),
    // All processes insert cards in the same order, so that two groups with the same cards cannot deadlock.
    cardInsertion.groupValue(cards.toSorted((one, other) => (one.id < other.id ? -1 : 1))),
    transactionInsertion.groupValue(openings.map(({ transaction, sending }) => ({ ...transaction, sending }))),
  ])
}
