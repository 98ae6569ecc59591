/**
 * By what payments are counted, and how one payment is counted under each. Chapter 70 §6.
 *
 * As on the dashboard a cascade is one payment, by its last attempt, and a MID is counted for each attempt; payouts and transfers are
 * counted by their kind alone, because neither is income.
 */
import { fate } from '../fate.ts'

const income = "p.kind in ('sale', 'debit')"
const last = "p.cascading is distinct from 'continued'"

// biome-ignore format: a table is read in columns.
const rows = [
  // dimension      value of the payment                              which payments
  ['total',         "''",                                             `${income} and ${last}`],
  ['mid',           'p.mid_id::text',                                 income],
  ['network',       "p.facts->>'network'",                            `${income} and ${last}`],
  ['issuerCountry', "p.facts->'issuer'->>'country'",                  `${income} and ${last}`],
  ['bin',           'left(p.card_mask, 6)',                           `${income} and ${last}`],
  ['kind',          'p.kind',                                         last],
  ['threeDs',       "p.facts->'threeDs'->>'authenticationFlow'",      `${income} and ${last}`],
  ['wallet',        "p.facts->'wallet'->>'name'",                     `${income} and ${last}`],
  ['declineReason', 'p.decline_reason',                               `${income} and ${last} and p.status = 'DECLINED'`],
] as const

export type Dimension = (typeof rows)[number][0]
export const dimensions: readonly Dimension[] = rows.map(([dimension]) => dimension)

/** The columns of a payment that the others below are computed from. */
export const readColumns = `p.id, p.merchant_id, p.test, p.created_at, p.currency, p.amount_decimals, p.amount_minor, p.authorised_minor, p.status,
  p.kind, p.cascading, p.mid_id, p.facts, p.card_mask, p.decline_reason`

/** What is needed of each payment to count it. */
export const countedColumns = `p.merchant_id, p.test, (p.created_at at time zone 'UTC')::date as day, p.currency, p.amount_decimals as decimals,
  ${fate} as fate, p.amount_minor`

/** One row per dimension under which the payment `p` counts; `only` is the parameter that names a single dimension. */
export const countedValues = (only: string | null = null): string =>
  rows
    .map(
      ([dimension, value, which]) =>
        `select '${dimension}' as dimension, coalesce(${value}, '') as value where ${which}${only === null ? '' : ` and ${only} = '${dimension}'`}`,
    )
    .join(' union all ')

/** Sums over rows with the columns of `countedColumns`. */
export const countedSums = `count(*) as payments, count(*) filter (where fate = 'approved') as approved,
  count(*) filter (where fate = 'declined') as declined, coalesce(sum(amount_minor) filter (where fate = 'approved'), 0) as approved_minor`

/** An attempt after which another one follows has no final outcome: the order may still be approved. */
export const isFinal = `(${fate}) <> 'open' and p.cascading is distinct from 'continues'`

/** Stands for all merchants together. */
export const everyMerchant = '00000000-0000-0000-0000-000000000000'
