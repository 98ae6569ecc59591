/** What the acquirer executed after the gateway had written it off, and how that was handled. */
import type { Audit } from '../stage/audit.ts'
import type { Stage } from '../stage/stage.ts'

interface LateEffects {
  /** Transactions that ended as never executed, by the acquirer's guarantee. */
  readonly givenUp: number
  readonly executed: number
  /** Payments whose record differs from the acquirer's for that reason, with an alert. */
  readonly payments: ReadonlySet<string>
  /** Executed late, neither reversed nor alerted. */
  readonly unhandled: readonly string[]
}

const givenUpReason = 'The payment never reached the acquirer'

export async function lateEffects({ pool, acquirer }: Stage): Promise<LateEffects> {
  const { rows } = await pool.query<{ id: string; payment_id: string; type: string; alerted: boolean }>(
    `select id, payment_id, type,
       exists (select from alerts a where a.payment_id = t.payment_id and a.kind in ('late-success', 'give-back', 'executed-late')
         and position(t.id::text in a.text) > 0) as alerted
     from transactions t where state = 'fail' and decline_reason = $1`,
    [givenUpReason],
  )
  const executed = new Set((await acquirer.ledger()).map(({ transaction_id }) => transaction_id))
  const late = rows.filter(({ id }) => executed.has(id))
  return {
    givenUp: rows.length,
    executed: late.length,
    payments: new Set(late.filter(({ alerted }) => alerted).map(({ payment_id }) => payment_id)),
    unhandled: late
      .filter(({ alerted }) => !alerted)
      .map(({ id, type }) => `${type} ${id} was executed late without a reversal or an alert`),
  }
}

/** A difference with an alert is accounted for; a double execution never is. */
export function withoutPayments(found: Audit, payments: ReadonlySet<string>): Audit {
  const dropPayments = (lines: readonly string[]) =>
    lines.filter((line) => ![...payments].some((payment) => line.includes(payment)))
  return {
    ...found,
    lost: dropPayments(found.lost),
    disagreeing: dropPayments(found.disagreeing),
    missingCallbacks: dropPayments(found.missingCallbacks),
  }
}
