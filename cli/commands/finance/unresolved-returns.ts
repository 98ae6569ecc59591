/** Money that has to be given back by hand: lists it, and asks a second person to confirm the record of one return. Chapter 70 §1. */
import { formatAmount, parseAmount } from '#domain/money/money.ts'
import type { PaymentRecord } from '#server/contracts/records.ts'
import { askGivenBack } from '#server/panel/finance/unresolved.ts'
import { type OwedReturn, unresolvedList } from '#server/store/finance/unresolved-list.ts'
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

const listedAtMost = 500

const recordOptions = {
  reference: value('TEXT', 'The acquirer’s reference of the return.', readers.nonEmpty),
  amount: value('AMOUNT', 'The amount that was given back, such as 10.00.', readers.nonEmpty),
  date: value('DAY', 'The acquirer’s date, such as 2026-03-01.', readers.day),
  reason: value('TEXT', 'The reason, for the second person.', readers.nonEmpty),
  evidence: value('TEXT', 'What shows that the money was given back.', readers.nonEmpty),
  by: value('EMAIL', 'The panel user who asks.', readers.email),
  json: flag('Prints JSON.'),
}

export const returnCommands: readonly Command[] = [
  command({
    name: 'unresolved returns',
    summary: 'Lists money that has to be given back by hand, oldest first.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const owed = await readReturns(instance)
      if (json) {
        printJson(context.output, owed)
        return
      }
      const rows = owed.map((one) => [one.alertId, one.paymentId, one.orderId, one.amount, one.raisedAt, one.text])
      context.output.out(table(['alert', 'payment', 'order', 'amount of the payment', 'since', 'text'], rows))
    },
  }),
  command({
    name: 'unresolved give-back',
    changes: true,
    summary: 'Asks a second person to confirm that money was given back at the acquirer.',
    details:
      'Give the money back at the acquirer first. Nothing is recorded yet: another user approves the request in the panel under Approvals.',
    args: { alertId: argument('ALERT', readers.uuid) },
    options: recordOptions,
    examples: [
      'gatehouse unresolved give-back 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007 --reference R-1 --amount 10.00 --date 2026-03-02 --reason "late charge" --evidence "line 7 of the report" --by ann@example.com',
    ],
    async run(context, { alertId }, { reference, amount, date, reason, evidence, by, json }) {
      if (reference === undefined || amount === undefined || date === undefined)
        throw new UsageError('--reference, --amount and --date are needed.', 'The acquirer’s report has all three.')
      if (reason === undefined || evidence === undefined || by === undefined)
        throw new UsageError('--reason, --evidence and --by are needed.', 'The second person reads them.')
      await using instance = await openInstance(context)
      const payment = await requireOwed(instance, alertId)
      const transactions = await paymentStore(instance.pool).listTransactions(payment.merchantId, payment.id)
      const wish = { reference, date, reason, evidence, amountMinor: minorOf(amount, payment) }
      const approval = await withPanelRefusals(
        instance.change(async (change) => {
          const user = await userStore(change.pool).findByEmail(by)
          if (user === null) throw new CommandError(`There is no user ${by}.`, '"gatehouse user list" shows the users.')
          return askGivenBack(change, { user, actor: change.actor }, { payment, transactions, alertId }, wish)
        }),
      )
      if (json) printJson(context.output, { approvalId: approval.id, state: approval.state })
      else context.output.out(`Request ${approval.id} waits for a second person, in the panel under Approvals.`)
    },
  }),
]

const readReturns = async ({ pool }: Instance) =>
  Promise.all(
    (await unresolvedList(pool, null).listReturns(listedAtMost)).map(async (owed) => ({
      ...owed,
      ...shownPayment(await findPayment({ pool }, owed)),
    })),
  )

/** The payment may be older than what is stored of payments. */
const shownPayment = (payment: PaymentRecord | null) => ({
  orderId: payment?.orderId ?? null,
  amount:
    payment && `${formatAmount(payment.amountMinor, payment.currency, payment.amountDecimals)} ${payment.currency}`,
})

const findPayment = ({ pool }: Pick<Instance, 'pool'>, { merchantId, paymentId }: OwedReturn) =>
  paymentStore(pool).find(merchantId, paymentId)

async function requireOwed({ pool }: Instance, alertId: string): Promise<PaymentRecord> {
  const owed = await unresolvedList(pool, null).findOwedReturn(alertId)
  const payment = owed && (await findPayment({ pool }, owed))
  if (payment) return payment
  throw new CommandError(
    `Alert ${alertId} asks for no return, or its return is recorded.`,
    '"gatehouse unresolved returns" shows what has to be given back.',
  )
}

function minorOf(amount: string, { currency, amountDecimals }: PaymentRecord): bigint {
  const parsed = parseAmount(amount, currency, new Map([[currency, amountDecimals]]))
  if (typeof parsed === 'string') throw new UsageError(`${amount} is not an amount in ${currency}.`, '')
  return parsed.minor
}
