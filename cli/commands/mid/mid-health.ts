/** MID health: circuit breakers, approval rates, and the manual override of a breaker. Chapter 50 §4. */
import { limits } from '#domain/limits.ts'
import type { BreakerOverride } from '#domain/routing/breaker.ts'
import { midAudit } from '#server/panel/setup/mids.ts'
import { changeOverride, listMidHealth, type MidHealth } from '#server/setup/mid-health.ts'
import { command } from '../../kit/command.ts'
import { UsageError } from '../../kit/command-error.ts'
import { type Output, printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMid } from '../../kit/named.ts'
import { flag, optionalArgument, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'

const usualMinutes = 60

export const midHealth = command({
  name: 'mid health',
  changes: true,
  summary: 'Shows circuit breakers and approval rates of MIDs; opens or closes a breaker manually.',
  details:
    '--open stops payments until --close. --close closes the breaker, which opens again by itself when the acquirer fails.\n' +
    '--keep-closed sends payments even if the acquirer fails, until --close. Running processes follow within a second.',
  args: { name: optionalArgument('NAME', readers.nonEmpty) },
  options: {
    open: flag('Stops payments to the MID.'),
    close: flag('Resumes payments; the breaker works automatically again.'),
    keepClosed: flag('Sends payments even if the acquirer fails.'),
    minutes: value(
      'N',
      'Period of the approval rates in minutes; default 60.',
      readers.wholeNumber(1, limits.midHealth.windowMinutes),
    ),
    json: flag('Prints JSON.'),
  },
  examples: ['gatehouse mid health', 'gatehouse mid health main --open'],
  async run(context, { name }, { open, close, keepClosed, minutes = usualMinutes, json }) {
    const override = overrideFrom({ open, close, keepClosed })
    if (override !== undefined && name === null)
      throw new UsageError('NAME is missing.', 'For example "gatehouse mid health NAME --open".')
    await using instance = await openInstance(context)
    const mid = name === null ? null : await requireMid(instance.pool, name)
    if (mid && override !== undefined) await changeBreaker(instance, mid.id, override)
    const all = await listMidHealth(instance, minutes)
    const shown = mid ? all.filter(({ midId }) => midId === mid.id) : all
    if (json) printJson(context.output, mid ? shown.map(jsonOf)[0] : shown.map(jsonOf))
    else if (mid) for (const one of shown) printOne(context.output, one)
    else context.output.out(table(headings, shown.map(rowOf)))
  },
})

/** Undefined if nothing is to be changed. */
function overrideFrom(
  flags: Readonly<Record<'open' | 'close' | 'keepClosed', boolean | undefined>>,
): BreakerOverride | undefined {
  const chosen = (['open', 'close', 'keepClosed'] as const).filter((one) => flags[one])
  if (chosen.length > 1)
    throw new UsageError('--open, --close and --keep-closed cannot be combined.', 'Choose one of them.')
  const overrides = { open: 'open', close: null, keepClosed: 'closed' } as const
  const [one] = chosen
  return one === undefined ? undefined : overrides[one]
}

const changeBreaker = (instance: Instance, midId: string, override: BreakerOverride): Promise<void> =>
  instance.change(async (change) => {
    const { before, after } = await changeOverride(change, midId, override)
    change.note({
      ...midAudit('mid.health', midId),
      before: { state: before.state, hand: before.override },
      after: { state: after.state, hand: after.override },
    })
  })

/** The published member is `hand`. */
const jsonOf = ({ override, ...health }: MidHealth) => ({ ...health, hand: override })

const headings = ['name', 'breaker', 'since', 'exchanges', 'failed', 'answers', 'approved']

const rowOf = ({ name, health, since, override, exchanges, approval }: MidHealth) => [
  name,
  breakerOf(health, override),
  since,
  exchanges.attempts,
  inPercent(exchanges.failureRate),
  approval.approved + approval.declined,
  inPercent(approval.rate),
]

function printOne({ out }: Output, one: MidHealth): void {
  const row = rowOf(one)
  out(record(headings.map((heading, index) => [heading, row[index] ?? null])))
  if (one.approval.cells.length === 0) return
  const cells = one.approval.cells.map(({ network, country, currency, approved, declined, rate }) => [
    network,
    country,
    currency,
    approved + declined,
    inPercent(rate),
  ])
  out(`\n${table(['network', 'country', 'currency', 'answers', 'approved'], cells)}`)
}

const breakerOf = (health: string, override: BreakerOverride): string =>
  override === null ? health : `${health} (manual)`
const inPercent = (rate: number | null): string | null => (rate === null ? null : `${(rate * 100).toFixed(1)} %`)
