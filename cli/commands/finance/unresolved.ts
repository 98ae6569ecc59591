/** Unknown outcomes: lists them, and asks a second person to decide one; the same for money to be given back. Chapter 70 §1. */
import { formatAmount, parseAmount } from '#domain/money/money.ts'
import { askOutcome, type OutcomeWish } from '#server/panel/finance/unresolved.ts'
import { loadConfiguration } from '#server/store/configuration/configuration.ts'
import { type UnresolvedOutcome, unresolvedList } from '#server/store/finance/unresolved-list.ts'
import { paymentStore } from '#server/store/payments/payments.ts'
import { userStore } from '#server/store/people/users.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { argument, flag, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { returnCommands } from './unresolved-returns.ts'

const listedAtMost = 500

const decisionOptions = {
  executed: flag('It was executed; needs --reference, --amount and --date.'),
  notExecuted: flag('It was not executed.'),
  reference: value('TEXT', 'The acquirer’s reference.', readers.nonEmpty),
  amount: value('AMOUNT', 'The executed amount, such as 10.00.', readers.nonEmpty),
  date: value('DAY', 'The acquirer’s date, such as 2026-03-01.', readers.day),
  reason: value('TEXT', 'The reason, for the second person.', readers.nonEmpty),
  evidence: value('TEXT', 'What the decision is based on.', readers.nonEmpty),
  by: value('EMAIL', 'The panel user who asks.', readers.email),
  json: flag('Prints JSON.'),
}

export const unresolvedCommands: readonly Command[] = [
  command({
    name: 'unresolved list',
    summary: 'Lists transactions whose outcome a user has to decide, oldest first.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const { outcomes } = await unresolvedList(instance.pool, null).listOutcomes(null, listedAtMost)
      if (json) {
        printJson(context.output, outcomes)
        return
      }
      const configuration = await loadConfiguration(instance.pool, instance.vault, instance.log)
      const headings = ['transaction', 'payment', 'type', 'amount', 'MID', 'since', 'queries']
      const rows = outcomes.map((one) => [
        one.transactionId,
        one.paymentId,
        one.type,
        `${formatAmount(one.amountMinor, one.currency, one.amountDecimals)} ${one.currency}`,
        configuration.mid(one.midId)?.name ?? one.midId,
        one.createdAt,
        one.asks,
      ])
      context.output.out(table(headings, rows))
    },
  }),
  command({
    name: 'unresolved decide',
    changes: true,
    summary: 'Asks a second person to decide the outcome of a transaction.',
    details: 'Nothing is decided yet: another user approves the request in the panel under Approvals.',
    args: { transactionId: argument('TRANSACTION', readers.uuid) },
    options: decisionOptions,
    examples: [
      'gatehouse unresolved decide 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007 --not-executed --reason "not on the statement" --evidence "report of 2 March" --by ann@example.com',
    ],
    async run(context, { transactionId }, options) {
      const { executed = false, notExecuted = false, reason, evidence, by, json } = options
      if (executed === notExecuted) throw new UsageError('Give either --executed or --not-executed.', '')
      if (reason === undefined || evidence === undefined || by === undefined)
        throw new UsageError('--reason, --evidence and --by are needed.', 'The second person reads them.')
      await using instance = await openInstance(context)
      const found = await requireUnresolved(instance, transactionId)
      const open = await readTransaction(instance, found)
      const wish: OutcomeWish = { executed: executed ? executionOf(options, found) : null, reason, evidence }
      const approval = await withPanelRefusals(
        instance.change(async (change) => {
          const user = await userStore(change.pool).findByEmail(by)
          if (user === null) throw new CommandError(`There is no user ${by}.`, '"gatehouse user list" shows the users.')
          return askOutcome(change, { user, actor: change.actor }, open, wish)
        }),
      )
      if (json) printJson(context.output, { approvalId: approval.id, state: approval.state })
      else context.output.out(`Request ${approval.id} waits for a second person, in the panel under Approvals.`)
    },
  }),
  ...returnCommands,
]

async function requireUnresolved({ pool }: Instance, transactionId: string): Promise<UnresolvedOutcome> {
  const found = await unresolvedList(pool, null).findOutcome(transactionId)
  if (found) return found
  throw new CommandError(
    `Transaction ${transactionId} needs no decision.`,
    '"gatehouse unresolved list" shows those that do.',
  )
}

async function readTransaction({ pool }: Instance, { merchantId, paymentId, transactionId }: UnresolvedOutcome) {
  const payments = paymentStore(pool)
  const payment = await payments.find(merchantId, paymentId)
  const transaction = (await payments.listTransactions(merchantId, paymentId)).find(({ id }) => id === transactionId)
  if (!payment || !transaction) throw new Error(`Transaction ${transactionId} was not found.`)
  return { payment, transaction }
}

function executionOf(
  {
    reference,
    amount,
    date,
  }: {
    readonly reference?: string | undefined
    readonly amount?: string | undefined
    readonly date?: string | undefined
  },
  { currency, amountDecimals }: UnresolvedOutcome,
) {
  if (reference === undefined || amount === undefined || date === undefined)
    throw new UsageError('--executed needs --reference, --amount and --date.', 'The acquirer’s report has all three.')
  const parsed = parseAmount(amount, currency, new Map([[currency, amountDecimals]]))
  if (typeof parsed === 'string') throw new UsageError(`${amount} is not an amount in ${currency}.`, '')
  return { reference, amountMinor: parsed.minor, date }
}
