/**
 * The outcomes that answers and callbacks of S2S CARD can report, each with an example payment. Chapter 10 §3, §5.4.
 *
 * The rules determine the outcomes and the resulting payments: commands begin as `rules.ts` allows, and end as `conclude` ends them.
 */
import { conclude, type Result } from '#domain/payment/decide.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import {
  newPayment,
  type Payment,
  type Status,
  type TransactionState,
  type TransactionType,
} from '#domain/payment/payment.ts'
import { beginRules, type FirstCommand, firstRules } from '#domain/payment/rules.ts'
import { recurringSale } from '#server/protocols/s2s-card/actions/recurring-sale.ts'
import { sale } from '#server/protocols/s2s-card/actions/sale.ts'
import { amountsTaken, examplePayment, today } from '../states.ts'
import { knownWith, lookUpExample, reportedFacts } from './example-payment.ts'

export interface Case {
  /** The heading of its column; empty if the result itself is enough. */
  readonly heading: string
  readonly facts: PaymentFacts
  /** Every status that the payment can have then. */
  readonly statuses: readonly Status[]
}

// biome-ignore format: a table is read in columns.
export const lookUpCases: readonly Case[] = [
  { heading: 'paid',        facts: lookUpExample('SETTLED'),  statuses: ['PENDING', 'SETTLED', 'REVERSAL', 'REFUND', 'VOID', 'CHARGEBACK'] },
  { heading: 'declined',    facts: lookUpExample('DECLINED'), statuses: ['DECLINED'] },
  { heading: 'not decided', facts: lookUpExample('PREPARE'),  statuses: ['PREPARE', '3DS', 'REDIRECT'] },
]

/** The outcomes of an action that executes something; none for any other. */
export function outcomeCases(action: string, params: readonly string[]): readonly Case[] {
  if (isFirstCommand(action)) {
    // A payer can be redirected only by a request with a return address.
    const results = firstResults.filter(([first]) => first !== '3DS' || params.includes('term_url_3ds'))
    return results.map((resultsReportedAlike) => firstCase(action, params, resultsReportedAlike))
  }
  if (action === 'RETRY') return retryResults.map(retryCase)
  if (action === 'CHARGEBACK')
    return [caseOf(ofSale, [endWith(examplePayment('SETTLED', 'sale'), 'CHARGEBACK', 1n, 'ok')])]
  // Only refunds can be completed later by an acquirer.
  const results = laterResults.filter((result) => result !== 'waiting' || action === 'CREDITVOID')
  return beginRules.some(({ command }) => command === action) ? results.map((result) => laterCase(action, result)) : []
}

const isFirstCommand = (name: string): name is FirstCommand => name in firstRules

/** Results that are reported alike, in the order of their columns. */
const firstResults: readonly (readonly [Result, ...Result[]])[] = [['ok'], ['fail'], ['3DS', 'REDIRECT'], ['unknown']]
const retryResults: readonly Result[] = ['ok', 'fail', 'unknown']
export const laterResults: readonly Result[] = ['ok', 'fail', 'unknown', 'waiting']

interface End {
  readonly type: TransactionType
  readonly state: TransactionState
  readonly status: Status
}

export type CaseSubject = Pick<PaymentFacts, 'action' | 'kind'> & { readonly known: PaymentFacts }

const ofSale: CaseSubject = { action: 'SALE', kind: 'sale', known: knownWith(Object.keys(sale.params)) }
const ofRecurring: CaseSubject = {
  action: 'RECURRING_SALE',
  kind: 'sale',
  known: knownWith(Object.keys(recurringSale.params)),
}

function firstCase(action: FirstCommand, params: readonly string[], results: readonly Result[]): Case {
  const { kind, records, recordsHeld, recurring } = firstRules[action]
  const ends = [records, ...(recordsHeld ? [recordsHeld] : [])].flatMap((type) => {
    const before = newPayment({ kind, amountMinor: 400n, holds: type === 'AUTH', recurring })
    return results.map((result) => endWith(before, type, 400n, result))
  })
  return caseOf({ action, kind, known: knownWith(params) }, ends)
}

/** A retried recurring payment is charged and reported under its own action. */
function retryCase(result: Result): Case {
  const declined = examplePayment('DECLINED', 'sale')
  return caseOf(
    ofRecurring,
    [false, true].map((holds) => endWith({ ...declined, holds }, 'RETRY', 100n, result)),
  )
}

export function laterCase(action: string, result: Result, subject: CaseSubject = ofSale): Case {
  // A disputed payment stays disputed whatever follows, so it shows nothing of the command.
  const rules = beginRules.filter(({ command, from }) => command === action && from !== 'CHARGEBACK')
  const ends = rules.flatMap((rule) =>
    rule.kinds.flatMap((kind) =>
      amountsTaken(rule).map((amountMinor) =>
        endWith(examplePayment(rule.from, kind), rule.records, amountMinor, result),
      ),
    ),
  )
  return caseOf(subject, ends)
}

export function endWith(before: Payment, type: TransactionType, amountMinor: bigint, result: Result): End {
  const conclusion = conclude(before, { type, amountMinor }, result, { today })
  if (!conclusion) throw new Error(`No rule ends ${type} in ${before.status} with ${result}.`)
  return { type, state: conclusion.state, status: conclusion.payment.status }
}

export function caseOf({ action, kind, known }: CaseSubject, ends: readonly End[], of = ''): Case {
  const [end] = ends
  if (!end) throw new Error(`Nothing ends a ${action}.`)
  return {
    heading: of,
    facts: reportedFacts(known, { action, kind, ...end }),
    statuses: [...new Set(ends.map(({ status }) => status))],
  }
}
