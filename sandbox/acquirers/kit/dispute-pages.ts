/**
 * The page on which a payer's bank disputes a payment and decides the dispute, in place of the bank and the company's own staff:
 * `GET /disputes`. A program posts `{"payment": "…", "step": "open"}` to the same address as JSON; `payment` is the company's reference of it,
 * which the merchant's panel shows.
 */
import { hash } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { escapeHtml, headOf } from '../../kit/html.ts'
import { failure, type Reply, seeOther } from '../../kit/reply.ts'
import type { Call, Routes } from '../../kit/routes.ts'
import type { Effect, Line } from './books.ts'
import type { Base } from './stand-in.ts'
import type { Upload } from './uploads.ts'

// biome-ignore format: a table is read in columns.
const steps = [
  // step     from                                      button
  [ 'open',   [ 'none', 'inquiry', 'inquiry-answered' ], 'Open a dispute'          ],
  [ 'won',    [ 'open', 'answered' ],                   'Decide for the merchant' ],
  [ 'lost',   [ 'open', 'answered' ],                   'Decide for the payer'    ],
] as const

// biome-ignore format: a table is read in columns.
const inquirySteps = [
  [ 'inquiry', [ 'none' ],                        'Open an inquiry'   ],
  [ 'closed',  [ 'inquiry', 'inquiry-answered' ], 'Close the inquiry' ],
] as const

export type DisputeStep = (typeof steps)[number][0]
export type InquiryStep = (typeof inquirySteps)[number][0]
/** `answered`: the merchant has objected, and the bank has not decided yet. */
export type DisputeState = 'none' | 'answered' | DisputeStep
export type InquiryState = 'inquiry-answered' | InquiryStep

/** What the merchant answered. */
export interface DisputeAnswer {
  readonly answer: 'accepted' | 'contested'
  /** The company's code of it. */
  readonly reason?: string
  /** What each file shows, in the company's words. */
  readonly documents: readonly (Pick<Upload, 'type' | 'size' | 'sha256'> & { readonly as: string })[]
}

const movements = { open: 'chargeback', won: 'chargeback-returned', lost: null } as const

/** The money that a step takes from the merchant or returns to it. */
export function effectsOfStep(step: DisputeStep, about: Omit<Effect, 'kind' | 'state'>): readonly Effect[] {
  const kind = movements[step]
  return kind === null ? [] : [{ ...about, kind, state: 'executed' }]
}

/** A captured payment. */
export interface DisputablePayment {
  /** The company's own. */
  readonly reference: string
  readonly account: string
  /** What is captured and not refunded. */
  readonly amountMinor: bigint
  readonly currency: string
  readonly lastFour: string
  readonly state: DisputeState | InquiryState
  readonly answer?: DisputeAnswer | undefined
}

interface Disputes<Item> {
  /** Newest first. */
  readonly list: () => readonly DisputablePayment[]
  /** What the step stores and reports. */
  readonly take: (reference: string, step: DisputeStep) => Line<Item>
  /** Only of a company that reports inquiries, which take no money. */
  readonly inquire?: (reference: string, step: InquiryStep) => Line<Item>
}

const longestList = 50

export const disputePages = <Item>(
  base: Pick<Base<Item>, 'write'>,
  { list, take, inquire }: Disputes<Item>,
): Routes => [
  ['GET /disputes', async () => page(list().slice(0, longestList), inquire ? [...inquirySteps, ...steps] : steps)],
  // What merchants answered, for tests.
  [
    'GET /disputes/answers',
    async () => ({
      status: 200,
      body: list().flatMap(({ reference, state, answer }) =>
        answer ? [{ payment: reference, state, ...answer }] : [],
      ),
    }),
  ],
  [
    'POST /disputes',
    async (call) => {
      const { payment: reference, step: name } = isObject(call.body) ? call.body : {}
      const [step, from] = steps.find(([one]) => one === name) ?? []
      const [inquiry, before] = (inquire && inquirySteps.find(([one]) => one === name)) ?? []
      const states: readonly string[] | undefined = from ?? before
      if (!states || typeof reference !== 'string')
        return failure(
          400,
          'invalid_request',
          `Give payment and step (${inquire ? 'inquiry, closed, ' : ''}open, won or lost).`,
        )
      const payment = list().find((one) => one.reference === reference)
      if (!payment) return failure(404, 'no_such_payment', 'No captured payment has this reference.')
      if (!states.includes(payment.state))
        return failure(409, 'wrong_state', `The dispute is in the state ${payment.state}.`)
      if (step) await base.write(take(reference, step))
      if (inquiry && inquire) await base.write(inquire(reference, inquiry))
      return isJson(call) ? { status: 201, body: { payment: reference, state: name } } : seeOther('/disputes')
    },
  ],
]

const isJson = ({ headers }: Call): boolean => (headers['content-type'] ?? '').startsWith('application/json')

type Steps = readonly (readonly [step: string, from: readonly (DisputeState | InquiryState)[], button: string])[]

function page(payments: readonly DisputablePayment[], offered: Steps): Reply {
  const rows = payments.map((payment) => rowOf(payment, offered)).join('\n')
  const table = `<table>
<thead><tr><th>Payment</th><th>Account</th><th>Amount</th><th>Card</th><th>Dispute</th><th></th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`
  const body = `<!doctype html>
<html lang="en">
${headOf('Disputes', `<style>${style}</style>`)}
<body>
<main>
<h1>Disputes</h1>
<p>Act as the payer’s bank. The merchant’s webhook receives what you decide here. The newest ${longestList} captured payments are listed.</p>
${payments.length === 0 ? '<p role="status">No payment is captured yet.</p>' : table}
</main>
</body>
</html>
`
  return { status: 200, body, headers }
}

function rowOf(
  { reference, account, amountMinor, currency, lastFour, state }: DisputablePayment,
  offered: Steps,
): string {
  const amount = exponentOf(currency) === undefined ? String(amountMinor) : formatAmount(amountMinor, currency)
  const card = lastFour === '' ? '' : `•••• ${lastFour}`
  const cells = [reference, account, `${amount} ${currency}`, card, state].map((text) => `<td>${escapeHtml(text)}</td>`)
  const buttons = offered
    .filter(([, from]) => from.includes(state))
    .map(([step, , text]) => `<button name="step" value="${step}">${text}</button>`)
  const form = `<form method="post"><input type="hidden" name="payment" value="${escapeHtml(reference)}">${buttons.join(' ')}</form>`
  return `<tr>${cells.join('')}<td>${buttons.length === 0 ? '' : form}</td></tr>`
}

const style = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --line: #d5d9e0; --accent: #1d5bb8 }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ebee; --paper: #1e2126; --line: #3c414a; --accent: #8ab4f8 } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem; overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { padding: .5rem; border-bottom: 1px solid var(--line); text-align: start }
button { min-height: 2.75rem; padding: .25rem .75rem; border: 1px solid var(--accent); border-radius: .375rem; background: transparent; color: var(--accent); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`

const headers = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const
