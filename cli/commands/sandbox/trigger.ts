/**
 * Makes events for integrators: a payment in the wanted state, or the payer's action at the sandbox acquirer, which reports money that
 * arrives later or decides a redirect. Chapter 20 §18.
 */

import { z } from 'zod'
import { accept, type Reading, refuse } from '#domain/reading.ts'
import { type EventName, eventNames } from '../../../client/typescript/cli/sandbox-events.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { readInstanceConfig } from '../../kit/instance.ts'
import { networkReason } from '../../kit/network-reason.ts'
import { argument, flag, optionalArgument, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { findSandboxUrl, readSandboxAnswer } from '../../kit/sandbox.ts'
import { record } from '../../kit/table.ts'
import { triggerEvent } from './trigger-event.ts'

const reports = ['paid', 'more', 'less', 'expired', 'approve', 'decline'] as const

export const triggerCommands: readonly Command[] = [
  command({
    name: 'trigger',
    sandboxOnly: 'On a live instance payers act themselves.',
    summary: 'Makes a payment in a state, or simulates the payer’s action on a sandbox payment.',
    details:
      `Events: ${eventNames.join(', ')}.\n` +
      'An event is a payment of --merchant, whose callbacks go to --to or to the merchant’s notification address. With the trans_id\n' +
      'of a payment that waits for its payer:\n' +
      'Crypto and voucher payments: "paid" means the money arrived, "expired" that it did not. For crypto, "more" and "less" mean that\n' +
      '10 % more or less arrived, or the amount given with --amount, which an order without an amount requires. Redirect payments:\n' +
      '"approve", "decline", "expired". The service updates the payment within 30 seconds.',
    args: {
      subject: argument('EVENT|TRANS_ID', eventOrPayment),
      report: optionalArgument('REPORT', readers.oneOf(reports)),
    },
    options: {
      to: value('URL', 'Address for the callbacks of the event.', readers.webAddress),
      merchant: text('NAME', 'The merchant of the event; default demo.'),
      test: flag('Uses the merchant’s test key.'),
      amount: value('AMOUNT', 'Amount that arrived, for example 0.015.', amount),
      json: flag('Prints JSON.'),
    },
    examples: [
      'gatehouse trigger refunded --to http://127.0.0.1:8090/',
      'gatehouse trigger chargeback --merchant demo',
      'gatehouse trigger 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007 paid',
      'gatehouse trigger 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007 more --amount 12.5',
    ],
    async run(context, { subject, report }, { amount: came, json, to, merchant = 'demo', test }) {
      const event = eventNames.find((name) => name === subject)
      if ((event === undefined) !== (report !== null))
        throw new UsageError(
          'Give an event alone, or a trans_id and a report.',
          '"gatehouse trigger --help" lists both.',
        )
      const outcome =
        event === undefined
          ? await reportPayer(context, subject, { report, ...(came !== undefined && { amount: came }) })
          : await triggerEvent(context, event, { merchant, mode: test ? 'test' : 'live', to: to ?? null })
      if (json) printJson(context.output, outcome)
      else context.output.out(record(Object.entries(outcome)))
    },
  }),
]

function eventOrPayment(text: string): Reading<string> {
  const isEvent = eventNames.some((name: EventName) => name === text)
  return isEvent || readers.uuid(text).ok ? readers.nonEmpty(text.toLowerCase()) : refuse('an event or a trans_id')
}

async function reportPayer(context: CommandContext, payment: string, report: object) {
  const url = await findSandboxUrl(readInstanceConfig(context))
  if (url === null) throw new CommandError('The sandbox acquirer was not found.', 'Start the service with "npm start".')
  return sendReport(url, payment, report)
}

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
    const { reason, received, ...always } = readSandboxAnswer(url, decisionBody, answer)
    return { ...always, ...(reason !== undefined && { reason }), ...(received !== undefined && { received }) }
  }
  const message = refusalBody.safeParse(answer).data?.error.message ?? `HTTP status ${reply.status}.`
  throw new CommandError(`The sandbox acquirer refused: ${message}`, 'Nothing was changed.')
}
