/** Acts as the payer at the sandbox acquirer: reports money that arrives later, or decides a redirect. Chapter 20 §18. */

import { z } from 'zod'
import { accept, type Reading, refuse } from '#domain/reading.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { configOf } from '../../kit/instance.ts'
import { networkReason } from '../../kit/network-reason.ts'
import { argument, flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { sandboxUrl } from '../../kit/sandbox.ts'
import { record } from '../../kit/table.ts'

const reports = ['paid', 'more', 'less', 'expired', 'approve', 'decline'] as const

export const triggerCommands: readonly Command[] = [
  command({
    name: 'trigger',
    sandboxOnly: 'On a live instance payers act themselves.',
    summary: 'Simulates the payer’s action on a sandbox payment.',
    details:
      'Crypto and voucher payments: "paid" means the money arrived, "expired" that it did not. For crypto, "more" and "less" mean that\n' +
      '10 % more or less arrived, or the amount given with --amount, which an order without an amount requires. Redirect payments:\n' +
      '"approve", "decline", "expired". The service updates the payment within 30 seconds.',
    args: { payment: argument('TRANS_ID', readers.uuid), report: argument('REPORT', readers.oneOf(reports)) },
    options: {
      amount: value('AMOUNT', 'Amount that arrived, for example 0.015.', amount),
      json: flag('Prints JSON.'),
    },
    examples: [
      'gatehouse trigger 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007 paid',
      'gatehouse trigger 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007 more --amount 12.5',
    ],
    async run(context, { payment, report }, { amount: came, json }) {
      const url = await sandboxUrl(configOf(context))
      if (url === null)
        throw new CommandError('The sandbox acquirer was not found.', 'Start the service with "npm start".')
      const decision = await sendReport(url, payment, { report, ...(came !== undefined && { amount: came }) })
      if (json) printJson(context.output, decision)
      else context.output.out(record(Object.entries(decision)))
    },
  }),
]

const answerWithinMs = 3000

const decisionBody = z.object({
  payment_id: z.string(),
  transaction_id: z.string(),
  state: z.string(),
  reason: z.string().optional(),
  received: z.string().optional(),
  currency: z.string(),
})
const refusalBody = z.object({ error: z.object({ message: z.string() }) })

function amount(text: string): Reading<string> {
  return /^[0-9]{1,12}(\.[0-9]{1,18})?$/.test(text) ? accept(text) : refuse('an amount such as 0.015')
}

async function sendReport(url: string, payment: string, body: object): Promise<Readonly<Record<string, string>>> {
  const reply = await fetch(`${url}/trigger/${payment}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch((error: unknown) => {
    throw new CommandError(
      `The sandbox acquirer at ${url} does not answer: ${networkReason(error)}`,
      'Start the service with "npm start".',
    )
  })
  const answer: unknown = await reply.json().catch(() => null)
  if (reply.ok) {
    const { reason, received, ...always } = decisionBody.parse(answer)
    return { ...always, ...(reason !== undefined && { reason }), ...(received !== undefined && { received }) }
  }
  const message = refusalBody.safeParse(answer).data?.error.message ?? `HTTP status ${reply.status}.`
  throw new CommandError(`The sandbox acquirer refused: ${message}`, 'Nothing was changed.')
}
