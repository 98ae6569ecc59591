/** Writes that no bug may be able to make, tried directly: the database must refuse each statement, with the intended constraint. */
import { randomUUID } from 'node:crypto'
import { DatabaseError } from 'pg'
import type { Pool } from '#server/store/database/pool.ts'

interface PlantedViolation {
  readonly name: string
  readonly refused: boolean
  readonly answer: string
}

interface Violation {
  readonly name: string
  /** `$1` is the merchant, `$2` a settled payment, `$3` its transaction, `$4` a new identifier. */
  readonly statement: string
  /** Part of the constraint's name, or of the message if it has none. */
  readonly guard: string
}

const change = (what: string): string =>
  `update payments set ${what} where merchant_id = $1 and id = $2 and $3::uuid <> $4::uuid`

const newTransaction = (type: string, columns = '', values = ''): string =>
  `insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, created_at${columns})
   select merchant_id, payment_id, $4, '${type}', 'sent', 1, mid_id, created_at${values} from transactions
   where merchant_id = $1 and payment_id = $2 and id = $3`

const newPosting = (from: string, to: string, amount: number, { transaction = '$3', position = 99 } = {}): string =>
  `insert into ledger_entries (merchant_id, payment_id, transaction_id, position, from_account, to_account, currency, amount_minor, at)
   select $1, $2, ${transaction}::uuid, ${position}, '${from}', '${to}', 'EUR', ${amount}, '2026-01-01' where $3::uuid <> $4::uuid`

const oldPosting = 'where merchant_id = $1 and payment_id = $2 and transaction_id = $3 and $4::uuid is not null'

// biome-ignore format: a table is read in columns.
const violations: readonly Violation[] = [
  // violation                                    statement                                                                   refused by
  { name: 'more captured than authorised',        statement: change('captured_minor = authorised_minor + 1'),                 guard: 'captured_at_most_authorised' },
  { name: 'less than nothing captured',           statement: change('captured_minor = -1, refunded_minor = 0'),               guard: 'captured_at_most_authorised' },
  { name: 'more authorised than ordered',         statement: change('authorised_minor = amount_minor + 1'),                   guard: 'authorised_at_most_ordered' },
  { name: 'more refunded than captured',          statement: change('refunded_minor = captured_minor + 1'),                   guard: 'refunded_at_most_captured' },
  { name: 'less than nothing refunded',           statement: change('refunded_minor = -1'),                                   guard: 'refunded_at_most_captured' },
  { name: 'more charged back than captured',      statement: change('charged_back_minor = captured_minor + 1'),               guard: 'charged_back_at_most_captured' },
  { name: 'a status that does not exist',         statement: change("status = 'PAID'"),                                       guard: 'payments_status_check' },
  { name: 'a refund without an id of its own',    statement: newTransaction('REFUND'),                                        guard: 'creditvoid_id_on_money_back' },
  { name: 'two commands open at once',            statement: `with one as (${newTransaction('CAPTURE')}) ${newTransaction('VOID').replace('$4', 'gen_random_uuid()')}`, guard: 'transactions_one_open' },
  { name: 'a posting of nothing',                 statement: newPosting('payer', 'settled', 0),                               guard: 'ledger_entries_amount_minor_check' },
  { name: 'a posting of less than nothing',       statement: newPosting('payer', 'settled', -5),                              guard: 'ledger_entries_amount_minor_check' },
  { name: 'a posting from an account to itself',  statement: newPosting('settled', 'settled', 5),                             guard: 'ledger_entries_check' },
  { name: 'a posting of no transaction',          statement: newPosting('payer', 'settled', 5, { transaction: '$4' }),        guard: 'ledger_entries_merchant_id_payment_id_transaction_id_fkey' },
  { name: 'the same posting twice',               statement: newPosting('payer', 'settled', 5, { position: 1 }),              guard: 'ledger_entries_pkey' },
  { name: 'a posting changed afterwards',         statement: `update ledger_entries set amount_minor = 1 ${oldPosting}`,      guard: 'append-only' },
  { name: 'a posting removed',                    statement: `delete from ledger_entries ${oldPosting}`,                      guard: 'append-only' },
]

/** The order must have one payment, a settled sale. */
export async function plantViolations(pool: Pool, orderId: string): Promise<readonly PlantedViolation[]> {
  const { rows } = await pool.query<{ merchant_id: string; payment_id: string; id: string }>(
    `select t.merchant_id, t.payment_id, t.id from transactions t join payments p on p.id = t.payment_id
     where p.order_id = $1 and p.status = 'SETTLED'`,
    [orderId],
  )
  const [payment] = rows
  if (!payment) throw new Error(`Order ${orderId} is not settled.`)
  const results: PlantedViolation[] = []
  for (const violation of violations) {
    results.push(await plant(pool, violation, [payment.merchant_id, payment.payment_id, payment.id, randomUUID()]))
  }
  return results
}

/** Always rolled back: a write that was accepted by mistake must not affect the audit. */
async function plant(
  pool: Pool,
  { name, statement, guard }: Violation,
  values: readonly string[],
): Promise<PlantedViolation> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rowCount } = await client.query(statement, [...values])
    return { name, refused: false, answer: `${rowCount ?? 0} rows` }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const answer = `${error.constraint ?? ''} ${error.message}`
    return { name, refused: answer.includes(guard), answer }
  } finally {
    await client.query('rollback')
    client.release()
  }
}
