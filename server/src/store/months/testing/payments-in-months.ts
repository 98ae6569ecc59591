/** Payments with identifiers of a chosen moment, for tests of the parts by month. */
import { randomUUID } from 'node:crypto'
import { newOpening } from '../../../../test/opening-rows.ts'
import { success } from '../../../../test/outcome-records.ts'
import type { Opening, OutcomeRecord, PaymentRecord } from '../../../contracts/records.ts'
import type { Pool } from '../../database/pool.ts'
import { lowestId } from '../month-bounds.ts'

/** An identifier as it is created at that moment. */
export const idIn = (moment: string): string => `${lowestId(new Date(moment)).slice(0, 14)}7${randomUUID().slice(15)}`

export const openingIn = (
  moment: string,
  of: Partial<PaymentRecord> = {},
  transaction: Partial<Opening['transaction']> = {},
): Opening => {
  const opening = newOpening({}, { id: idIn(moment), ...of })
  return { ...opening, transaction: { ...opening.transaction, ...transaction } }
}

export const successIn = (moment: string, opening: Opening): OutcomeRecord => {
  const outcome = success(opening)
  return { ...outcome, callback: outcome.callback && { ...outcome.callback, id: idIn(moment) } }
}

/** The part in which each row of a payment is. */
export async function partsOfPayment(pool: Pool, paymentId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ part: string }>(
    `select tableoid::regclass::text as part from payments where id = $1
     union all select tableoid::regclass::text from transactions where payment_id = $1
     union all select distinct tableoid::regclass::text from ledger_entries where payment_id = $1
     union all select tableoid::regclass::text from callbacks where payment_id = $1`,
    [paymentId],
  )
  return rows.map(({ part }) => part)
}
