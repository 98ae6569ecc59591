/** What acquirers report by calling us. Chapter 60 §2. */
import { dayMs } from '#domain/time.ts'
import {
  type LoggedNotification,
  listNotifications,
  notificationStates,
} from '#server/store/acquirers/notification-log.ts'
import { listRefusedSince, type RefusedNotifications } from '#server/store/acquirers/refused-notifications.ts'
import { midStore } from '#server/store/configuration/mids.ts'
import { type Command, command } from '../../kit/command.ts'
import { type Output, printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMid } from '../../kit/named.ts'
import { flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { formatValue, indent, table } from '../../kit/table.ts'

const usualLimit = 50
const refusalDays = 7

type NamedRefusals = RefusedNotifications & { readonly mid: string }

export const acquirerCommands: readonly Command[] = [
  command({
    name: 'acquirer notifications',
    summary: 'Lists notifications of acquirers, newest first, and counts those that were refused.',
    details:
      'States: "waiting" is tried again because its transaction is not recorded yet; "entered" is done; "failed" matched no\n' +
      'transaction within a day; "ignored" reports nothing that changes a payment; "repeated" repeats an earlier notification.\n' +
      'A notification whose sender could not be verified changes nothing and is only counted.',
    args: {},
    options: {
      mid: value('NAME', 'Only notifications of this MID.', readers.nonEmpty),
      state: value('STATE', `Only ${notificationStates.join(', ')}.`, readers.oneOf(notificationStates)),
      since: value('TIME', 'Only those that arrived at this time or later.', readers.moment),
      limit: value('N', `Maximum number; default ${usualLimit}.`, readers.wholeNumber(1, 500)),
      json: flag('Prints JSON, with every event.'),
    },
    examples: [
      'gatehouse acquirer notifications --mid adyen-live --state waiting',
      'gatehouse acquirer notifications --since 2026-11-01',
    ],
    async run(context, _args, { mid, state = null, since = null, limit = usualLimit, json }) {
      await using instance = await openInstance(context)
      const { pool, clock } = instance
      const midId = mid === undefined ? null : (await requireMid(pool, mid)).id
      const now = clock.now()
      const refusalsFrom = since ?? new Date(now.getTime() - refusalDays * dayMs)
      const [notifications, refusals, mids] = await Promise.all([
        listNotifications(pool, { midId, state, since, limit }),
        listRefusedSince(pool, refusalsFrom, midId),
        midStore(pool).list(),
      ])
      const names = new Map(mids.map(({ id, name }) => [id, name]))
      const refused = refusals.map((one) => ({ ...one, mid: names.get(one.midId) ?? one.midId }))
      if (json) printJson(context.output, jsonOf(notifications, refused))
      else print(context.output, { notifications, refused, refusalsFrom, now })
    },
  }),
]

const jsonOf = (notifications: readonly LoggedNotification[], refused: readonly NamedRefusals[]): object => ({
  notifications: notifications.map(({ mid, id, receivedAt, state, events }) => ({
    mid,
    id,
    received_at: receivedAt,
    state,
    events: events.map(({ paymentId, ...event }) => ({ ...event, payment_id: paymentId })),
  })),
  refused: refused.map(({ mid, refused: count, lastAt, reason }) => ({ mid, count, last_at: lastAt, reason })),
})

interface Shown {
  readonly notifications: readonly LoggedNotification[]
  readonly refused: readonly NamedRefusals[]
  readonly refusalsFrom: Date
  readonly now: Date
}

function print({ out }: Output, { notifications, refused, refusalsFrom, now }: Shown): void {
  if (notifications.length === 0)
    out('No notifications. The webhook address of a MID is /acquirers/NAME/notifications below the public address.')
  else
    out(
      table(
        ['received', 'age', 'mid', 'state', 'events', 'payment', 'id'],
        notifications.map((one) => rowOf(one, now)),
      ),
    )
  if (refused.length === 0) return
  out(`\nRefused since ${formatValue(refusalsFrom)}, because the sender could not be verified:`)
  out(
    indent(
      table(
        ['mid', 'refused', 'last', 'last reason'],
        refused.map(({ mid, refused: count, lastAt, reason }) => [mid, count, lastAt, reason]),
      ),
    ),
  )
}

const rowOf = ({ receivedAt, mid, state, events, id }: LoggedNotification, now: Date) => [
  receivedAt,
  ageText(now.getTime() - receivedAt.getTime()),
  mid,
  state,
  [...new Set(events.map(({ kind }) => kind))],
  [...new Set(events.flatMap(({ paymentId }) => paymentId ?? []))],
  id,
]

// biome-ignore format: a table is read in columns.
const units = [
  ['d', dayMs],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

function ageText(ms: number): string {
  const [unit, unitMs] = units.find(([, size]) => ms >= size) ?? ['s', 1000]
  return `${Math.max(0, Math.floor(ms / unitMs))} ${unit}`
}
