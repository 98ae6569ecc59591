/** Reconciles payments after the database was restored from a backup. Chapter 80 §4. */
import type { RestoreReport, UnknownEffect } from '#server/payments/commands/reconcile-restored.ts'
import type { Queryable } from '#server/store/database/pool.ts'
import { type ReconciliationRest, type RecoveryRecord, recoveryStore } from '#server/store/instance/recovery.ts'
import { restoredRecord } from '#server/store/instance/restored-record.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { type Instance, openInstance, withService } from '../../kit/instance.ts'
import { flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'
import { restoreBackupCommands } from './restore-backup.ts'

const json = flag('Prints JSON.')

export const restoreCommands: readonly Command[] = [
  command({
    name: 'restore status',
    summary: 'Shows whether the instance is in recovery, since when and why.',
    args: {},
    options: { json },
    async run(context, _args, { json: asJson }) {
      await using instance = await openInstance(context)
      const { since, reason, reconciledAt, left, recoveredAt } = await recoveryStore(instance.pool).read()
      const fields = [
        ['state', since === null ? 'serving' : 'recovery'],
        ['since', since],
        ['reason', reason],
        ['reconciled', reconciledAt],
        ['not_compared', left?.notCompared ?? null],
        ['not_in_our_record', left?.notInOurRecord ?? null],
        ['last_recovery_ended', recoveredAt],
      ] as const
      if (asJson) printJson(context.output, Object.fromEntries(fields))
      else context.output.out(record(fields))
    },
  }),

  command({
    name: 'restore begin',
    changes: true,
    summary: 'Puts the instance into recovery: payments, plans and callbacks stop.',
    details:
      'The service does this by itself when it starts with an older database. Use it after a restore that the service cannot detect.',
    args: {},
    options: {},
    async run(context) {
      await using instance = await openInstance(context)
      const before = await recoveryStore(instance.pool).read()
      if (before.since !== null) throw new CommandError('The instance is already in recovery.', next)
      await instance.change(async ({ pool, clock, note, by }) => {
        await recoveryStore(pool).begin(`Started by ${by}.`, clock.now())
        note({ action: 'recovery.begin', subject: 'instance', merchantId: null, after: { state: 'recovery' } })
      })
      context.output.out(`The instance is in recovery. ${next}`)
    },
  }),

  command({
    name: 'restore reconcile',
    changes: true,
    summary: 'Asks every acquirer for its executed transactions and updates the payments.',
    details: 'Moves no money and can be repeated. Cases that need a decision are listed and raised as alerts.',
    args: {},
    options: {
      since: value(
        'MOMENT',
        'Checks only transactions executed since this time. What an earlier run left from before it stays.',
        readers.moment,
      ),
      json,
    },
    examples: ['gatehouse restore reconcile', 'gatehouse restore reconcile --since 2026-11-01T00:00:00Z'],
    async run(context, _args, { since, json: asJson }) {
      await using instance = await openInstance(context)
      await requireRecovery(instance.pool)
      const entry = {
        action: 'recovery.reconcile',
        subject: 'instance',
        merchantId: null,
        after: { since: since ?? null },
      }
      const { report, left } = await instance.changeInSteps(entry, () => reconcile(instance, since ?? null))
      if (asJson) printJson(context.output, { ...reportJson(report), left })
      else print(context, report, left)
      return left.notInOurRecord === 0 && left.notCompared.length === 0 ? 0 : 1
    },
  }),

  command({
    name: 'restore end',
    changes: true,
    summary: 'Ends the recovery: payments, plans and callbacks resume.',
    details: 'Refuses while the last "restore reconcile" left MIDs or transactions to compare and settle by hand.',
    args: {},
    options: {
      'settled-by-hand': flag('Ends it although something was left: all of it was compared and settled by hand.'),
      'without-asking': flag('Ends it without "restore reconcile". Plan payments may then be charged twice.'),
    },
    async run(context, _args, { 'settled-by-hand': isSettled = false, 'without-asking': isWithoutAsking }) {
      await using instance = await openInstance(context)
      await instance.change(async ({ pool, clock, note }) => {
        const { since, reconciledAt, left } = await requireRecovery(pool)
        if (!isWithoutAsking) requireSettled({ reconciledAt, left }, isSettled)
        await recoveryStore(pool).end(clock.now())
        note({
          action: 'recovery.end',
          subject: 'instance',
          merchantId: null,
          before: { since, reconciledAt, ...left },
          after: {
            state: 'serving',
            ...(isSettled && { settledByHand: true }),
            ...(isWithoutAsking && { withoutAsking: true }),
          },
        })
      })
      context.output.out('The recovery has ended. Payments, plans and callbacks resume.')
    },
  }),
  ...restoreBackupCommands,
]

const next = 'Run "gatehouse restore reconcile", settle what it leaves, then run "gatehouse restore end".'

async function requireRecovery(on: Queryable) {
  const state = await recoveryStore(on).read()
  if (state.since !== null) return state
  throw new CommandError(
    'The instance is not in recovery.',
    'Nothing was changed. "gatehouse restore begin" starts a recovery.',
  )
}

function requireSettled(
  { reconciledAt, left }: Pick<RecoveryRecord, 'reconciledAt' | 'left'>,
  isSettled: boolean,
): void {
  if (reconciledAt === null)
    throw new CommandError(
      '"gatehouse restore reconcile" has not been completed since the restore.',
      'Run it first. If no data was lost, for example after a move to another server, add --without-asking.',
    )
  if (left === null)
    throw new CommandError(
      'An earlier release ran "gatehouse restore reconcile" and did not note what it left.',
      'Run it again.',
    )
  const { notCompared, notInOurRecord } = left
  if (isSettled || (notCompared.length === 0 && notInOurRecord === 0)) return
  throw new CommandError(
    [
      'The last "gatehouse restore reconcile" left work to do by hand.',
      notCompared.length > 0 && `MIDs that were not compared: ${notCompared.join(', ')}.`,
      notInOurRecord > 0 && `Transactions executed by acquirers that this instance does not have: ${notInOurRecord}.`,
    ]
      .filter(Boolean)
      .join(' '),
    'Run "gatehouse restore reconcile" again if an acquirer did not answer. Compare the MIDs with their statements and settle\n' +
      'the transactions, as docs/operations/restore.md describes; then run "gatehouse restore end --settled-by-hand".',
  )
}

interface Reconciled {
  readonly report: RestoreReport
  /** Of this run and of earlier ones. */
  readonly left: ReconciliationRest
}

const reconcile = (instance: Instance, since: Date | null): Promise<Reconciled> =>
  withService(instance, async ({ operations }, pool) => {
    const recovery = recoveryStore(pool)
    await recovery.forgetReconciliation()
    const report = await operations.reconcileRestored(restoredRecord(pool), since)
    const left = await recovery.markReconciled(instance.clock.now(), {
      since,
      notCompared: report.notAsked,
      missing: report.unknown.map(({ mid, effect: { transactionId, at } }) => ({ mid, transactionId, at })),
    })
    return { report, left }
  })

function print({ output }: CommandContext, report: RestoreReport, left: ReconciliationRest): void {
  output.out(
    record([
      ['open_transactions_asked', report.asked],
      ['of_them_decided', report.settled],
      ['booked', report.booked],
      ['left_to_plans', report.leftToPlans],
      ['not_in_our_record', report.unknown.length],
    ]),
  )
  if (report.unknown.length > 0) {
    output.out(
      '\nTransactions executed by acquirers that this instance does not have. Each is an alert in the panel:\n',
    )
    output.out(
      table(
        ['mid', 'order', 'kind', 'amount_minor', 'currency', 'at', 'transaction', 'reference'],
        report.unknown.map(cells),
      ),
    )
  }
  for (const mid of report.notAsked) {
    output.err(`${mid}: the acquirer cannot list its transactions, or did not answer. Compare its statement manually.`)
  }
  const earlierMids = left.notCompared.filter((mid) => !report.notAsked.includes(mid))
  const earlierEffects = left.notInOurRecord - report.unknown.length
  if (earlierMids.length > 0 || earlierEffects > 0)
    output.err(
      [
        'An earlier run compared from an earlier time, and left what this one did not compare again.',
        earlierMids.length > 0 && `MIDs that were not compared: ${earlierMids.join(', ')}.`,
        earlierEffects > 0 && `Transactions that this instance does not have: ${earlierEffects}.`,
        'To compare them again, run it without --since.',
      ]
        .filter(Boolean)
        .join(' '),
    )
}

const cells = ({ mid, effect }: UnknownEffect) => [
  mid,
  effect.orderId,
  effect.kind,
  String(effect.amountMinor),
  effect.currency,
  effect.at.toISOString(),
  effect.transactionId,
  effect.reference,
]

const reportJson = ({ unknown, ...report }: RestoreReport) => ({
  ...report,
  unknown: unknown.map(({ mid, effect }) => ({ mid, ...effect, amountMinor: String(effect.amountMinor) })),
})
