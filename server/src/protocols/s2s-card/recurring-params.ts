/**
 * Parameters that start a chain and put it on a schedule: with `recurring_init` on SALE and DEBIT, without it on RECURRING_*.
 * Chapter 10 §7.1.1, §7.6.
 *
 * A schedule parameter without a schedule is reported under `schedule_id`, so that one mistake gives one row.
 */
import { violations } from '#domain/errors.ts'
import { type Amount, amountSign, formatAmount, parseAmount } from '#domain/money/money.ts'
import type { ScheduleRecord, ScheduleRequest } from '../../contracts/records.ts'
import { invalid } from '../../contracts/refused-error.ts'
import * as format from '../kit/values/formats.ts'
import { optional, type Param, withDefault, withWords } from '../kit/values/params.ts'
import { blank, fault, soundResult, violationResult } from '../kit/values/read.ts'
import type { BaseReading, DatedReading } from '../kit/values/reading.ts'
import { isSent, textIn } from '../kit/values/sent.ts'

/** For parameters whose rules depend on it; a value that is neither `Y` nor `N` is reported by `recurring_init` itself. */
export const startsChain = ({ tree }: BaseReading): boolean => textIn(tree, 'recurring_init') === 'Y'

const needSchedule = ['schedule_start_date', 'payment_schedule_amount']

const scheduleId = (
  mayBeSent: (reading: BaseReading) => boolean,
  words: string,
): Param<string | undefined, BaseReading> => ({
  words: { sent: words, holds: 'the identifier of a schedule' },
  read: (name, sent, reading) => {
    if (sent !== undefined && !mayBeSent(reading)) return fault(name, violations.notValid)
    const isLacking = sent === undefined && needSchedule.some((needy) => isSent(reading.tree, needy))
    return isLacking ? blank(name) : optional(format.identifier).read(name, sent, reading)
  },
})

const startDate = optional(
  withWords('a date, `YYYY-MM-DD`, today or later; needs `schedule_id`', (text: string, reading: DatedReading) => {
    const day = format.day(text, reading)
    return day.ok && day.value < reading.today ? violationResult(violations.notValid) : day
  }),
)

/** The text as sent: on RECURRING_* the currency, and with it the number of decimals, is known only later. */
const scheduleAmount = (
  isRequired: (reading: BaseReading) => boolean,
  words: string,
): Param<string | undefined, BaseReading> => ({
  words: { sent: words, holds: 'an amount above 0; needs `schedule_id`' },
  read: (name, sent, reading) => {
    if (sent === undefined) return isRequired(reading) ? blank(name) : soundResult(undefined)
    return optional(positiveAmount).read(name, sent, reading)
  },
})

const positiveAmount = withWords('an amount above 0', (text: string, { tree }: BaseReading) => {
  const sign = amountSign(text)
  if (sign === 'zero' || sign === 'below-zero') return violationResult(violations.notPositive)
  const isPrecise = sign === 'positive' && parseAmount(text, textIn(tree, 'order_currency') ?? '') !== 'too-precise'
  return isPrecise ? soundResult(text) : violationResult(violations.notValid)
})

/** A free trial needs an amount for the payments after it. */
const isFreeTrial = ({ tree }: BaseReading): boolean => isSent(tree, 'schedule_id') && isZero(tree)

function isZero(tree: BaseReading['tree']): boolean {
  const amount = textIn(tree, 'order_amount')
  return amount !== undefined && amountSign(amount) === 'zero'
}

/** SALE and DEBIT. */
export const chainParams = {
  recurring_init: withDefault(format.flag, false),
  schedule_id: scheduleId(startsChain, 'no; only with `recurring_init=Y`'),
  schedule_start_date: startDate,
  payment_schedule_amount: scheduleAmount(isFreeTrial, 'no; yes with `schedule_id` and a zero `order_amount`'),
}

/** RECURRING_SALE and RECURRING_DEBIT, where the chain already exists. */
export const planParams = {
  schedule_id: scheduleId(() => true, 'no'),
  schedule_start_date: startDate,
  payment_schedule_amount: scheduleAmount(() => false, 'no'),
}

/** The plan that a request starts, in the currency of its payment; null if it starts none. */
export function scheduleWish(
  input: {
    readonly schedule_start_date: string | undefined
    readonly payment_schedule_amount: string | undefined
  },
  schedule: ScheduleRecord | null,
  currency: string,
): ScheduleRequest | null {
  if (!schedule) return null
  const startDate = input.schedule_start_date ?? null
  const amount = input.payment_schedule_amount
  return {
    id: schedule.id,
    startDate,
    amount: amount === undefined ? null : formatScheduleAmount(amount, currency),
    // Known already when it was sent; otherwise once the payment has succeeded.
    firstDate: startDate,
  }
}

function formatScheduleAmount(text: string, currency: string): string {
  const amount: Amount | string = parseAmount(text, currency)
  if (typeof amount === 'string') throw invalid({ param: 'payment_schedule_amount', text: violations.notValid })
  return formatAmount(amount.minor, currency, amount.decimals)
}
