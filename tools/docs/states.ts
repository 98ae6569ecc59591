/**
 * The life cycle of a payment for the reference. Rules that are functions are evaluated: what may begin is what `decide` allows, and valid
 * amounts are found by trying a part, the whole and more.
 */
import { decide } from '#domain/payment/decide.ts'
import {
  allowsRetry,
  declineClasses,
  type Kind,
  kinds,
  type Payment,
  returnableMinorOf,
  type Status,
  statuses,
  type TransactionState,
  type TransactionType,
  transactionStates,
  transactionTypes,
} from '#domain/payment/payment.ts'
import {
  type BeginRule,
  beginRules,
  type Command,
  commands,
  type EndRule,
  endRules,
  firstRules,
  noBrandLimits,
  refusalOf,
} from '#domain/payment/rules.ts'
import { resultOf } from '#server/protocols/s2s-card/present.ts'
import { code, table } from './markdown.ts'

/** The classes of declines, and which of them may be repeated. Chapter 50 §4. */
export const declineClassTable = (): string =>
  table(
    ['Class', 'Soft: may be tried again, at another MID or later'],
    declineClasses.map((one) => [code(one), allowsRetry(one) ? 'yes' : 'no: hard']),
  )

interface Meaning {
  readonly text: string
  readonly final: string
}

const meaning = (text: string, final: string): Meaning => ({ text, final })

// biome-ignore format: a table is read in columns.
const meanings: Readonly<Record<Status, Meaning>> = {
  // status              means                                                        final
  PREPARE:    meaning('created, outcome not known yet; or a debit calculated and not completed', 'no'),
  '3DS':      meaning('waits for the payer at 3-D Secure',                            'no'),
  REDIRECT:   meaning('waits for the payer at the acquirer',                          'no'),
  PENDING:    meaning("money is held, not taken; or the payer's money, or a payout, is on its way", 'no'),
  SETTLED:    meaning('money was taken, or paid out',                                 'no'),
  REVERSAL:   meaning('the hold was released, or a debit was reversed in full',       'yes'),
  REFUND:     meaning('refunded in full',                                             'only a chargeback moves it'),
  VOID:       meaning('cancelled on the same financial day',                          'yes'),
  CHARGEBACK: meaning("disputed by the payer's bank",                                 'yes'),
  DECLINED:   meaning('failed',                                                       'only RETRY moves it'),
}

export const statusTable = (): string =>
  table(
    ['Status', 'Means', 'Final'],
    statuses.map((status) => [code(status), meanings[status].text, meanings[status].final]),
  )

export const firstCommands = (): string =>
  table(
    ['Command', 'Kind of payment', 'Records', 'With `auth=Y`, or on a MID in DMS mode', 'Recurring'],
    Object.entries(firstRules).map(([command, { kind, records, recordsHeld, recurring }]) => [
      code(command),
      kind,
      code(records),
      recordsHeld ? code(recordsHeld) : '–',
      recurring ? 'yes' : 'no',
    ]),
  )

export const followUpCommands = (): string =>
  table(
    ['Command', 'In status', 'Kind of payment', 'When', 'Records', 'A part', 'The whole', 'More'],
    beginRules.map((rule) => [
      code(rule.command),
      code(rule.from),
      rule.kinds.join(', '),
      conditionOf(rule),
      code(rule.records),
      ...amountsOf(rule),
    ]),
  )

/** By the names of the conditions in `rules.ts`. */
const conditions: Readonly<Record<string, string>> = {
  isHeld: 'money is held',
  isRefundable: 'money was taken, and the brand refunds',
  hasMoneyLeft: 'money is left, and the brand refunds',
  isVoidable: 'money was taken on this financial day, nothing refunded, and the brand offers it',
  isCalculated: 'calculated, and not expired',
  isRetryable: 'recurring, declined softly, and the card has tries left',
}

function conditionOf({ when }: BeginRule): string {
  const words = conditions[when.name]
  if (words === undefined) throw new Error(`tools/docs/states.ts has no words for the condition "${when.name}".`)
  return words
}

function amountsOf(rule: BeginRule): readonly string[] {
  const answers = amountsTried(rule).map(({ refusal }) => (refusal ? String(refusal.code) : 'yes'))
  // A command that accepts any amount ignores it.
  return answers.every((answer) => answer === 'yes') ? ['–', '–', '–'] : answers.slice(1)
}

/** Which of no amount, a part, the whole and more the rule accepts. */
export function amountsTaken(rule: BeginRule): readonly bigint[] {
  return amountsTried(rule).flatMap(({ amountMinor, refusal }) => (refusal || amountMinor === 0n ? [] : [amountMinor]))
}

function amountsTried(rule: BeginRule) {
  const payment = examplePayment(rule.from, rule.kinds[0] ?? 'sale')
  const whole = rule.from === 'PENDING' ? payment.authorisedMinor : returnableMinorOf(payment)
  return [0n, 1n, whole, whole + 1n].map((amountMinor) => ({
    amountMinor,
    refusal: rule.amount(payment, { amountMinor, today, retryBudget: true, brand: noBrandLimits, expired: false }),
  }))
}

export const today = '2026-03-01'

/** A payment of 1.00 that has progressed as far as possible in a status. */
export function examplePayment(status: Status, kind: Kind): Payment {
  const taken = !['PREPARE', '3DS', 'REDIRECT', 'PENDING', 'DECLINED'].includes(status)
  return {
    status,
    kind,
    recurring: true,
    holds: status === 'PENDING',
    amountMinor: 100n,
    authorisedMinor: taken || status === 'PENDING' ? 100n : 0n,
    capturedMinor: taken ? 100n : 0n,
    refundedMinor: status === 'REFUND' || status === 'REVERSAL' || status === 'VOID' ? 100n : 0n,
    chargedBackMinor: status === 'CHARGEBACK' ? 50n : 0n,
    financialDay: taken ? today : null,
    declineClass: status === 'DECLINED' ? 'soft' : null,
    inFlight: false,
  }
}

export const outcomes = (): string =>
  table(
    ['Transaction', 'Ends in status', 'Approved', 'Declined', 'Unknown', 'Finished later', 'Payer step possible'],
    endRules.map(({ type, from, ok, fail, unknown, waiting, payerStep }) => [
      code(type),
      from.map(code).join(', '),
      nextOf(ok),
      nextOf(fail),
      nextOf(unknown),
      nextOf(waiting),
      payerStep ? 'yes' : 'no',
    ]),
  )

function nextOf(next: EndRule['ok'] | EndRule['unknown'] | EndRule['waiting']): string {
  if (next === '=') return 'unchanged'
  if (next === 'fails') return 'as declined'
  if (next === 'unknown') return 'as unknown'
  if (typeof next === 'string') return code(next)
  switch (next.kind) {
    case 'nothing-left':
      return `${code(next.status)} when nothing is left, else unchanged`
    case 'by-hold':
      return `${code(next.captured)}, a hold ${code(next.held)}`
  }
}

/** Every status against every command: what it records, or the refusal. */
export function commandsByStatus(): string {
  return table(
    ['Status', ...commands.map(code)],
    statuses.map((status) => [code(status), ...commands.map((command) => answersOf(status, command))]),
  )
}

function answersOf(status: Status, command: Command): string {
  const answers = kinds.map((kind) => {
    const decision = decide(examplePayment(status, kind), command, { amountMinor: undefined, today })
    return { kind, answer: decision.allowed ? code(decision.records) : null }
  })
  const allowed = answers.flatMap(({ kind, answer }) => (answer === null ? [] : [`${kind}: ${answer}`]))
  return allowed.length > 0 ? allowed.join(', ') : refusalText(command)
}

const refusalText = (command: Command): string =>
  refusalOf[command].code === 100000 ? `“${refusalOf[command].message}”` : String(refusalOf[command].code)

export const refusals = (): string =>
  table(
    ['Command', 'Refused with'],
    Object.entries(refusalOf).map(([command, { code: number, message }]) => [
      code(command),
      `${number} ${code(message)}`,
    ]),
  )

/** What answers and callbacks report of a transaction; a dash marks the impossible. */
export function results(): string {
  const shownStates = transactionStates.filter((state) => state !== 'sent')
  const types = transactionTypes.filter((type) => type !== '3DS' && type !== 'REDIRECT')
  const groups = Map.groupBy(types, (type) => shownStates.map((state) => resultIn(type, state)).join(' '))
  return table(
    ['Transaction', ...shownStates.map(code)],
    [...groups].map(([row, alike]) => [alike.map(code).join(', '), ...row.split(' ')]),
  )
}

function resultIn(type: TransactionType, state: TransactionState): string {
  const result = resultOf({ id: '', type, state, amountMinor: 0n, at: epoch, creditvoidId: null })
  const sendsPayer = endRules.some((rule) => rule.type === type && rule.payerStep)
  const isFoundOut = endRules.some((rule) => rule.type === type && rule.unknown !== 'fails')
  return (result === 'REDIRECT' && !sendsPayer) || (result === 'UNDEFINED' && !isFoundOut) ? '–' : result
}

const epoch = new Date(0)
