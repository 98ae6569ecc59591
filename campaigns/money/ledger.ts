/**
 * Money is neither created nor lost: after every step the ledger entries of a payment balance and agree with its totals, in the end all of them
 * agree with the acquirer, and the database itself refuses what the rules forbid.
 */
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { audit } from '../stage/audit.ts'
import type { Fields } from '../stage/merchant.ts'
import type { Random } from '../stage/random.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import { plantViolations } from './planted-violations.ts'

export const ledger: Campaign = {
  name: 'ledger',
  asserts:
    'ledger entries balance after every step, agree with the acquirer, and the database refuses planted violations.',
  sizes: { payments: 200, steps: 5, lanes: 8 },
  quick: { payments: 20, lanes: 4 },
  run,
  plantedFault: {
    what: 'The acquirer books one cent more than requested.',
    seenIn: 'amounts that differ',
    patches: [
      {
        file: 'sandbox/acquirer/answer.ts',
        find: '{ order_id: orderId }),\n    amount: String(amountOf(transaction)),',
        replace: '{ order_id: orderId }),\n    amount: String(amountOf(transaction) + 1n),',
      },
    ],
  },
}

const settleWithinMs = 60_000

async function run(terms: Terms): Promise<Findings> {
  await using stage = await openStage({ apis: 1, workers: 1, database: terms.database, sharedAuthority: true })
  const unbalanced: string[] = []
  const waiting = Array.from({ length: sizeOf(terms, 'payments') }, (_, index) => `ORDER-${index}`).values()
  let steps = 0
  const lane = async (): Promise<void> => {
    for (const orderId of waiting) {
      for await (const fault of walk(stage, terms.random, orderId, sizeOf(terms, 'steps'))) {
        steps += 1
        if (fault !== null) unbalanced.push(fault)
      }
    }
  }
  await Promise.all(Array.from({ length: sizeOf(terms, 'lanes') }, lane))

  await stage.merchant.sale(only(stage.apis).url, 'planted')
  await until(() => isQuiet(stage), settleWithinMs)
  const violations = await plantViolations(stage.pool, 'planted')
  const accepted = violations.filter(({ refused }) => !refused)
  return joinFindings(
    {
      figures: [
        { name: 'steps', value: steps },
        { name: 'steps with unbalanced ledger entries', value: unbalanced.length, must: 0 },
        { name: 'violations planted', value: violations.length },
        { name: 'violations accepted', value: accepted.length, must: 0 },
      ],
      faults: [...unbalanced, ...accepted.map(({ name, answer }) => `The database accepted ${name}: ${answer}`)],
    },
    auditFigures(await audit(stage)),
  )
}

/** A payment and then any commands in any order; each step yields what it left unbalanced, or null. */
async function* walk(stage: Stage, random: Random, orderId: string, steps: number): AsyncGenerator<string | null> {
  const { merchant, apis } = stage
  const { url } = only(apis)
  // Every tenth is declined, and moves nothing.
  const card: Fields = random.between(0, 9) === 0 ? { card_exp_month: '02' } : {}
  const hold: Fields = random.between(0, 1) === 0 ? { auth: 'Y' } : {}
  const first = await merchant.sale(url, orderId, { ...card, ...hold })
  const transId = first.answered ? first.body.trans_id : undefined
  if (transId === undefined) throw new Error(`No payment for ${orderId}: ${JSON.stringify(first)}`)
  yield findImbalance(stage, transId)

  for (let step = 1; step < steps; step += 1) {
    const amount: Fields = random.between(0, 2) === 0 ? {} : { amount: `${random.between(1, 9)}.${random.digits(2)}` }
    const action = random.pick(['CAPTURE', 'CREDITVOID', 'CREDITVOID', 'VOID'])
    await merchant.followUp(url, action, transId, action === 'VOID' ? {} : amount)
    yield findImbalance(stage, transId)
  }
}

/** Money in `payer` and `refunded` has left us; what the other accounts hold must equal the payment's columns. */
async function findImbalance({ pool }: Stage, paymentId: string): Promise<string | null> {
  const { rows } = await pool.query<{ balanced: boolean; accounts: string }>(
    `with moved as (
       select to_account as account, amount_minor as amount from ledger_entries where payment_id = $1
       union all select from_account, -amount_minor from ledger_entries where payment_id = $1
     ), balance as (select account, sum(amount) as amount from moved group by account)
     select coalesce(sum(balance.amount), 0) = 0
        and coalesce(sum(balance.amount) filter (where account = 'settled'), 0) = min(captured_minor - refunded_minor)
        and coalesce(sum(balance.amount) filter (where account = 'held'), 0) =
            min(case when status = 'PENDING' then authorised_minor else 0 end)
        and coalesce(bool_and(balance.amount >= 0) filter (where account <> 'payer'), true) as balanced,
        coalesce(string_agg(account || ' ' || balance.amount, ', '), '') as accounts
     from payments left join balance on true where payments.id = $1`,
    [paymentId],
  )
  const [row] = rows
  return row?.balanced ? null : `Payment ${paymentId}: ${row?.accounts ?? 'is not there'}`
}
