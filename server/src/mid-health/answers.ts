/** Final answers to first steps, by MID, cell and minute. */

import type { Cell, Tally } from '#domain/routing/approval.ts'
import { minuteMs } from '#domain/time.ts'
import type { MidAnswerRow } from '../store/configuration/mid-health.ts'
import { type CountRow, SharedCounts } from './shared-counts.ts'

export class Answers {
  readonly #cells = new SharedCounts()
  /** Over all cells of a MID, so that a query for the MID needs no sum over its cells. */
  readonly #totals = new SharedCounts()

  add(midId: string, cell: Cell, answer: keyof Tally, at: Date): void {
    const count = { interval: minuteOf(at), good: answer === 'approved' ? 1 : 0, bad: answer === 'declined' ? 1 : 0 }
    this.#cells.add({ key: keyOf(midId, cell), ...count })
    this.#totals.add({ key: midId, ...count })
  }

  /** The minute of `now` and those before it, `windowMinutes` in all. */
  tally(midId: string, cell: Cell | null, windowMinutes: number, now: Date): Tally {
    const from = minuteOf(now) - (windowMinutes - 1) * minuteMs
    const { good, bad } = cell === null ? this.#totals.sum(midId, from) : this.#cells.sum(keyOf(midId, cell), from)
    return { approved: good, declined: bad }
  }

  take(): readonly MidAnswerRow[] {
    this.#totals.take()
    return this.#cells.take().map(({ key, interval, good, bad }) => {
      const [midId = '', network = '', country = '', currency = ''] = key.split(separator)
      const cell = { network: network || null, country: country || null, currency }
      return { midId, cell, minute: new Date(interval), approved: good, declined: bad }
    })
  }

  giveBack(): void {
    this.#cells.giveBack()
    this.#totals.giveBack()
  }

  read(rows: readonly MidAnswerRow[], from: Date, forget: Date): void {
    this.#cells.read(rows.map(asCount(({ midId, cell }) => keyOf(midId, cell))), from.getTime(), forget.getTime())
    this.#totals.read(rows.map(asCount(({ midId }) => midId)), from.getTime(), forget.getTime())
  }
}

const minuteOf = (at: Date): number => Math.floor(at.getTime() / minuteMs) * minuteMs

/** Occurs in no part of a key. */
const separator = '|'

const keyOf = (midId: string, { network, country, currency }: Cell): string =>
  [midId, network ?? '', country ?? '', currency].join(separator)

const asCount =
  (keyed: (row: MidAnswerRow) => string) =>
  (row: MidAnswerRow): CountRow => ({
    key: keyed(row),
    interval: row.minute.getTime(),
    good: row.approved,
    bad: row.declined,
  })
