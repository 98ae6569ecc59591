/**
 * Explains requests to the integrator: which checks a refused one passed, what refused it, and what its hash covers. See
 * decisions/requests#refused-requests.
 */
import { checkResults } from '#domain/request-checks.ts'
import type { HashExplanation } from '#domain/signature/hash-explanation.ts'
import { type FoundRefusal, findRefusedRequests } from '#server/store/requests/refused-requests.ts'
import { type Command, command } from '../../kit/command.ts'
import { UsageError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { flag, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { indent, record, table } from '../../kit/table.ts'
import { paymentLogText, readPaymentLog } from './payment-log.ts'

export const logsCommands: readonly Command[] = [
  command({
    name: 'logs',
    summary: 'Explains refused requests, and shows what happened to a payment.',
    details:
      'Without options it lists the last refused requests; a single match is shown in full. Refused requests are stored for seven days, the\n' +
      'last 200 of each merchant. Requests with an unknown key or above the rate limit are not stored. Passwords, cards and payers are hidden.',
    args: {},
    options: {
      payment: value('ID', 'A payment: its transactions, callbacks and refused requests.', readers.uuid),
      request: text('ID', 'The request with this X-Request-Id, which every answer has.'),
      order: text('ORDER', 'Only requests of this order.'),
      merchant: text('NAME', 'Only requests of this merchant.'),
      limit: value('N', 'Maximum number; default 20.', readers.wholeNumber(1, 200)),
      json: flag('Prints JSON.'),
    },
    examples: [
      'gatehouse logs --merchant demo',
      'gatehouse logs --request 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007',
      'gatehouse logs --payment 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007',
    ],
    async run(context, _args, { payment, request, order, merchant, limit = 20, json }) {
      if (payment !== undefined && (request !== undefined || order !== undefined))
        throw new UsageError('--payment is given alone.', 'Leave out --request and --order.')
      await using instance = await openInstance(context)
      const merchantIds = merchant === undefined ? null : [(await requireMerchant(instance.pool, merchant)).id]
      const found = payment === undefined ? null : await readPaymentLog(instance.pool, payment)
      const refusals = await findRefusedRequests(instance.pool, {
        merchantIds,
        requestId: request,
        orderId: order,
        paymentId: payment,
        limit,
      })
      if (json) {
        printJson(context.output, found ? { ...found, refused: refusals.map(membersOf) } : refusals.map(membersOf))
        return
      }
      if (found) context.output.out(`${paymentLogText(found)}\n`)
      context.output.out(textOf(refusals, found !== null || request !== undefined))
    },
  }),
]

const membersOf = ({ refusal, step, ...request }: FoundRefusal) => ({
  ...request,
  checks: checkResults(step).map(({ step: check, result }) => ({ check, result })),
  ...refusal,
})

function textOf(refusals: readonly FoundRefusal[], isSearch: boolean): string {
  if (refusals.length === 0)
    return isSearch ? 'No refused request was found; an accepted one is not stored.' : 'No request was refused.'
  if (isSearch || refusals.length === 1) return refusals.map(explanationOf).join('\n\n')
  return table(['at', 'merchant', 'request', 'order', 'refused by', 'because', 'request id'], refusals.map(rowOf))
}

const rowOf = (one: FoundRefusal) => [
  one.at,
  merchantOf(one),
  one.action,
  one.orderId,
  one.step,
  reasonsOf(one)[0] ?? '',
  one.requestId,
]

const merchantOf = ({ merchant, mode }: FoundRefusal): string => (mode === 'test' ? `${merchant} (test)` : merchant)

const reasonsOf = ({ refusal: { message, violations } }: FoundRefusal): readonly string[] =>
  violations.length === 0
    ? [message]
    : violations.map(({ param, text: fault }) => (param === null ? fault : `${param}: ${fault}`))

const marks = { passed: '✔', refused: '✖', 'not checked': '·' } as const

function explanationOf(one: FoundRefusal): string {
  const { refusal, requestId, at, protocol, action, orderId, paymentId, step } = one
  const heading = record([
    ['request', requestId],
    ['refused', at],
    ['merchant', merchantOf(one)],
    ['action', action === null ? null : `${action}, ${protocol}`],
    ['order', orderId],
    ['payment', paymentId],
    ['answer', `HTTP ${refusal.http}, ${refusal.code} ${refusal.message}`],
  ])
  const checks = checkResults(step).map(({ title, result }) => {
    const because = result === 'refused' ? reasonsOf(one).map((reason) => `\n    ${reason}`) : []
    return `${marks[result]} ${title}${because.join('')}`
  })
  const hash = refusal.hash === null ? [] : [hashText(refusal.hash, step === 'signature' ? 'signature' : 'hash')]
  return [heading, checks.join('\n'), ...hash].join('\n\n')
}

function hashText({ formula, values, text: covered, mistake }: HashExplanation, what: 'hash' | 'signature'): string {
  return [
    `The ${what} should have been:`,
    indent(
      record([
        ['formula', formula],
        ...values.map(({ name, value }) => [name, value ?? 'not sent'] as const),
        ['text', covered],
      ]),
    ),
    mistake ?? `No usual mistake explains the ${what} that was sent: compare the password and every value above.`,
  ].join('\n')
}
