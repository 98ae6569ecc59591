/** A received callback in readable form. */
import { indent, record } from '../../kit/table.ts'
import { type CallbackBody, fieldOf, flatFields } from '../../signing/callback-body.ts'
import type { Verdict } from '../../signing/callback-check.ts'
import type { Checks, ReceivedCallback } from '../../signing/examiner.ts'

export interface Answer {
  readonly status: number
  readonly body: string
}

interface Report {
  readonly received: ReceivedCallback
  readonly checks: Checks
  readonly answer: Answer
  readonly forward: string | null
}

export const isGood = ({ content, hash, signature }: Checks): boolean =>
  content !== null && (hash?.good ?? true) && (signature?.good ?? true)

export function reportOf(report: Report, asJson: boolean): string {
  return asJson ? JSON.stringify(members(report)) : readableReport(report)
}

function readableReport({ received, checks, answer, forward }: Report): string {
  const { at, merchant, content, hash, signature } = checks
  const fields = content ? flatFields(content.fields) : []
  const sequence = received.headers['webhook-sequence']
  return [
    `── ${at.toISOString().slice(11, 19)}  ${headline(content)}${merchant ? `  (${merchant})` : ''}`,
    indent(record([...(sequence ? [['webhook-sequence', String(sequence)] as const] : []), ...fields])),
    content ? '' : indent(`The body is neither a form nor JSON:\n${received.body.toString('utf8').slice(0, 2000)}`),
    indent(formatVerdict('hash', hash)),
    indent(formatVerdict('webhook-signature', signature)),
    indent(`answered ${answer.status} ${answer.body.slice(0, 200)}${forward ? ` (from ${forward})` : ''}`),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** For example `SALE SUCCESS, now SETTLED: ORDER-1, 10.00 EUR`. The S2S protocols and Checkout name these fields differently. */
function headline(content: CallbackBody | null): string {
  if (!content) return 'unreadable callback'
  const field = (...names: readonly string[]) =>
    names.map((name) => fieldOf(content.fields, name)).find((value) => value !== undefined)
  const checkout = field('order_number') !== undefined
  const what = [field('action', 'type'), checkout ? field('status') : field('result')].filter(Boolean).join(' ')
  const now = checkout ? field('order_status') : field('status')
  const order = [
    field('order_id', 'order_number'),
    [field('amount', 'order_amount'), field('currency', 'order_currency')].filter(Boolean).join(' '),
  ]
  return `${what}${now ? `, now ${now}` : ''}: ${order.filter(Boolean).join(', ')}`
}

function formatVerdict(what: string, verdict: Verdict | null): string {
  if (verdict === null) return `? ${what} not checked: no password or secret given`
  return verdict.good ? `✔ ${what} is valid, ${verdict.how}` : `✖ ${what} is invalid: ${verdict.why}`
}

function members({ received, checks, answer, forward }: Report): object {
  const { at, merchant, content, hash, signature } = checks
  return {
    at: at.toISOString(),
    path: received.path,
    merchant,
    webhook_id: received.headers['webhook-id'] ?? null,
    sequence: received.headers['webhook-sequence'] ?? null,
    fields: content?.fields ?? null,
    hash,
    signature,
    answer,
    forward,
  }
}
