/**
 * The past that a fill gives an instance: payments with numbers, one every `stepMs`, from the beginning of a month until now.
 *
 * Everything about a payment follows from its number, as in `search/search-payments.ts`, so that a measurement knows values to look for.
 */
import { z } from 'zod'
import { type Bounds, monthStart } from '#server/store/months/month-bounds.ts'

export const historySchema = z.object({
  firstMs: z.number(),
  stepMs: z.number(),
  /** Numbers begin with 0. */
  payments: z.number(),
  /** The number of the oldest payment that is there: above 0 after a fill that was stopped. */
  oldest: z.number(),
})

export type History = z.infer<typeof historySchema>

/** This month and the nine before it. */
const months = 10
/** The newest is some minutes old, so that none appears to be under way. */
const quietMs = 600_000

export function historyUntil(now: Date, payments: number): History {
  const firstMs = monthStart(now, 1 - months).getTime()
  const stepMs = Math.max(Math.floor((now.getTime() - quietMs - firstMs) / payments), 1)
  return { firstMs, stepMs, payments, oldest: 0 }
}

/** The months that have payments, from the oldest to the newest. */
export function monthsOf(history: History): readonly Date[] {
  const last = momentIn(history, history.payments - 1)
  const found: Date[] = []
  for (let month = monthStart(new Date(history.firstMs)); month <= last; month = monthStart(month, 1)) found.push(month)
  return found
}

interface Numbers {
  readonly from: number
  /** Not included. */
  readonly to: number
}

/** The payments whose identifiers are in a part. */
export function numbersIn(history: History, { from, to }: Bounds): Numbers {
  return { from: firstSince(history, from, 0), to: firstSince(history, to, history.payments) }
}

function firstSince({ firstMs, stepMs, payments }: History, moment: Date | null, open: number): number {
  if (moment === null) return open
  return Math.min(Math.max(Math.ceil((moment.getTime() - firstMs) / stepMs), 0), payments)
}

/** By these everything about a payment is decided. */
const decisive = [2, 3, 5, 7, 11, 31, 37, 101, 997]

/** The distance of about `count` numbers that are spread over the history; payments of every kind are among them. */
export function spread({ payments, oldest }: Pick<History, 'payments' | 'oldest'>, count: number): number {
  let step = Math.max(1, Math.floor((payments - oldest) / count))
  while (decisive.some((factor) => step % factor === 0)) step += 1
  return step
}

export const momentIn = ({ firstMs, stepMs }: History, number: number): Date => new Date(firstMs + number * stepMs)
