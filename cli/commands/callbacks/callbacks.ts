/** Callbacks as the operator handles them: their state, sending one again, blocked addresses. Chapter 10 §11.1. */
import { addressKey } from '#domain/address/callback-address.ts'
import { unblockUrl } from '#server/panel/access/blocked-addresses.ts'
import { resentNote } from '#server/panel/payments/callbacks.ts'
import { addressFor } from '#server/panel/payments/resend-target.ts'
import { type LoggedCallback, listBlockedUrls, listLoggedCallbacks } from '#server/store/callbacks/callback-log.ts'
import { resend } from '#server/store/callbacks/callback-resend.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { type CellValue, table } from '../../kit/table.ts'
import { sealCallbacks } from './callbacks-seal.ts'
import { lastAnswerOf } from './last-answer.ts'

const merchant = argument('MERCHANT', readers.nonEmpty)
const json = { json: flag('Prints JSON, with bodies and every attempt.') }

export const callbacksCommands: readonly Command[] = [
  command({
    name: 'callbacks list',
    summary: 'Lists callbacks of a merchant, newest first.',
    args: { merchant },
    options: {
      payment: value('ID', 'Only callbacks of this payment.', readers.uuid),
      failed: flag('Only callbacks that failed permanently.'),
      limit: value('N', 'Maximum number; default 50.', readers.wholeNumber(1, 500)),
      ...json,
    },
    async run(context, args, { payment, failed, limit, json: asJson }) {
      await using instance = await openInstance(context)
      const { id } = await requireMerchant(instance.pool, args.merchant)
      const callbacks = await listLoggedCallbacks(instance.pool, {
        merchantId: id,
        ...(payment === undefined ? {} : { paymentId: payment }),
        ...(failed ? { state: 'failed' as const } : {}),
        ...(limit === undefined ? {} : { limit }),
      })
      if (asJson) {
        printJson(context.output, callbacks.map(membersOf))
        return
      }
      const headings = ['id', 'created', 'payment', 'no.', 'state', 'attempts', 'last answer', 'url']
      context.output.out(table(headings, callbacks.map(rowOf)))
    },
  }),

  command({
    name: 'callbacks resend',
    changes: true,
    summary: 'Sends a callback again and restarts its retry schedule.',
    details:
      'It is sent to its original address, which "callbacks list" shows, or with --current to the merchant’s current notification address.',
    args: { merchant, id: argument('ID', readers.uuid) },
    options: { current: flag('Sends it to the merchant’s current notification address.') },
    async run(context, args, { current }) {
      await using instance = await openInstance(context)
      const account = await requireMerchant(instance.pool, args.merchant)
      const { id: merchantId, name } = account
      const target = current ? 'current' : 'original'
      if (current && (account.notificationUrl ?? account.testNotificationUrl) === null)
        throw new CommandError(
          `"${name}" has no notification address.`,
          `Set one: gatehouse merchant update ${name} --notification-url URL`,
        )
      const to = addressFor(account, target)
      const result = await instance.change(async (change) => {
        const came = await resend(change.pool, { merchantId, callbackId: args.id, now: change.clock.now(), to })
        if (came === 'resent') change.note(resentNote(merchantId, args.id, { result: came, target }))
        return came
      })
      if (result === 'resent') {
        context.output.out('The callback is due now; a running worker sends it.')
        return
      }
      if (result === 'in-flight') {
        throw new CommandError(
          'The callback is being delivered right now.',
          'Check "gatehouse callbacks list" in a minute.',
        )
      }
      throw new CommandError(
        `"${name}" has no callback ${args.id}.`,
        `"gatehouse callbacks list ${name}" shows the identifiers.`,
      )
    },
  }),

  command({
    name: 'callbacks blocked',
    summary: 'Lists addresses that are temporarily blocked because they did not answer in time.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json: asJson }) {
      await using instance = await openInstance(context)
      const blocked = await listBlockedUrls(instance.pool, instance.clock.now())
      if (asJson) {
        printJson(context.output, blocked)
        return
      }
      if (blocked.length === 0) {
        context.output.out('No address is blocked.')
        return
      }
      context.output.out(
        table(
          ['url', 'until'],
          blocked.map(({ url, until }) => [url, until]),
        ),
      )
    },
  }),

  command({
    name: 'callbacks unblock',
    changes: true,
    summary: 'Unblocks an address; its waiting callbacks are due at once.',
    args: { url: argument('URL', readers.nonEmpty) },
    options: {},
    async run(context, { url }) {
      await using instance = await openInstance(context)
      await instance.change(async (change) => {
        const unblocked = await unblockUrl(change, url)
        if (unblocked === null)
          throw new CommandError(
            `${addressKey(url)} is not blocked.`,
            '"gatehouse callbacks blocked" lists the blocked addresses.',
          )
        change.note(unblocked)
      })
      context.output.out(`${addressKey(url)} is no longer blocked.`)
    },
  }),

  sealCallbacks,
]

function rowOf(callback: LoggedCallback): readonly CellValue[] {
  return [
    callback.id,
    callback.createdAt,
    callback.paymentId,
    callback.sequence,
    callback.state,
    callback.attempts.length,
    lastAnswerOf(callback),
    callback.url,
  ]
}

const membersOf = (callback: LoggedCallback): object => ({
  id: callback.id,
  payment_id: callback.paymentId,
  transaction_id: callback.transactionId,
  sequence: callback.sequence,
  url: callback.url,
  content_type: callback.contentType,
  body: callback.body,
  state: callback.state,
  next_at: callback.nextAt,
  created_at: callback.createdAt,
  ended_at: callback.endedAt,
  attempts: callback.attempts.map(({ attempt, at, durationMs, httpStatus, answer, fault, acknowledged }) => ({
    attempt,
    at,
    duration_ms: durationMs,
    http_status: httpStatus,
    answer,
    fault,
    acknowledged,
  })),
})
