/** The overview page: a description of the program, its last transactions, and the outcomes of test cards, identifiers and wallet cards. */
import { escapeHtml } from '../../kit/html.ts'
import type { Acquirer } from '../acquirer.ts'
import { referenceOf } from '../references.ts'
import { reasonOf, stateOf, type Transaction } from '../transaction.ts'
import { behaviourTriggers, identifierTriggers } from '../triggers/brand-triggers.ts'
import { payouts, testCards, triggers } from '../triggers/triggers.ts'
import { walletTriggers } from '../triggers/wallet-triggers.ts'
import type { Later, Trigger, Verdict } from '../verdict.ts'

export function page(acquirer: Acquirer): string {
  const { book, clock } = acquirer
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox acquirer</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; color: #1c1e21 }
  table { border-collapse: collapse; width: 100%; margin: 0 0 2rem }
  caption { text-align: left; font-weight: 600; padding: .5rem 0 }
  th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #d8dadf; vertical-align: top }
  code { font-size: .9em }
</style>
</head>
<body>
<h1>Sandbox acquirer</h1>
<p>A simulated acquiring bank with its own ledger. No money moves here. The card number and expiry of a payment, or the text
before <code>@</code> in its identifier, decide its outcome. <code>GET /ledger</code> lists every executed transaction, for comparison with the gateway.</p>
<p>Transactions: ${book.size}. Effects: ${book.ledger.size}. Undecided: ${book.undecided.size}.
Chargebacks: ${book.chargebacks.length}. Clock: ${new Date(clock.now()).toISOString()}.</p>
${table('Last transactions', ['Reference', 'Type', 'MID', 'Amount in minor units', 'Card', 'State'], book.recent(20).map(transactionCells))}
${table('Waiting for the payer', ['Payment', 'Amount in minor units', 'Page'], book.allAwaiting(20).map(awaitingCells))}
${table('Test cards: sale, authorization, debit, transfer', ['Expiry', 'Payer step', 'First step', 'Later'], triggers.map(triggerCells))}
<p>With the cards ${testCards.map(code).join(', ')}. Any other number or expiry is declined.</p>
${table(
  'Test cards: payout',
  ['Card', 'Payout'],
  payouts.map(([number, verdict]) => [number, describe(verdict)]),
)}
${table('Brands: the text before @ in the identifier', headings, identifierTriggers.map(triggerCells))}
${table('Brands: without an identifier', headings, behaviourTriggers.map(triggerCells))}
<p>A payout whose <code>account_holder</code> or <code>address</code> begins with FAIL is declined; with WAIT it is decided after 30 s.</p>
${table('Wallets: the card behind the token', headings, walletTriggers.map(triggerCells))}
</body>
</html>
`
}

function transactionCells(transaction: Transaction): readonly string[] {
  const { record } = transaction
  return [
    referenceOf(record.number),
    record.type,
    record.mid,
    `${record.amount} ${record.currency}`,
    record.card ?? '',
    [stateOf(transaction), reasonOf(transaction)].filter(Boolean).join(', '),
  ]
}

const headings = ['Name', 'Payer step', 'First step', 'Later'] as const

/** A path and no link, because the payer's browser reaches the page under the gateway's address. */
function awaitingCells({ record }: Transaction): readonly string[] {
  const folder = record.money ? 'pay' : 'redirect'
  const key = (record.money ?? record.redirect)?.key
  const page = key === undefined ? '' : `/sandbox/${folder}/${record.paymentId}/${key}`
  return [record.paymentId, record.openAmount ? record.currency : `${record.amount} ${record.currency}`, page]
}

function triggerCells(trigger: Trigger): readonly string[] {
  const first = [describe(trigger.first), answerFaultTexts[trigger.answerFault ?? 'ordinary']]
  if (trigger.exchange) first.push(`${trigger.exchange} exchange`)
  if (trigger.onFirstMid) first.push(`on the first MID: ${describe(trigger.onFirstMid)}`)
  return [trigger.key, trigger.payerStep, first.filter(Boolean).join('; '), describeLater(trigger.later)]
}

function describe(verdict: Verdict): string {
  switch (verdict.state) {
    case 'approved':
      return 'approved'
    case 'declined':
      return `declined, ${verdict.declineClass}, ${verdict.reason}`
    case 'pending':
    case 'waiting': {
      const { state, becomes, afterMs } = verdict
      return `${state}, ${becomes ? `after ${afterMs / 1000} s ${describe(becomes)}` : 'never decided'}`
    }
  }
}

function describeLater({ chargeback, ...verdicts }: Later): string {
  const parts = Object.entries(verdicts).map(([operation, verdict]) => `${operation}: ${describe(verdict)}`)
  if (chargeback !== undefined) parts.push(`chargeback ${chargeback}`)
  return parts.join('; ')
}

const answerFaultTexts = {
  ordinary: '',
  late: 'answered after 5 s',
  'link-drops': 'executed, then the connection drops',
  'drop-answer': "executed, then the merchant's connection closes",
} as const

function table(caption: string, headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th scope="col">${escapeHtml(heading)}</th>`).join('')
  const body = rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('\n')
  return `<table><caption>${escapeHtml(caption)}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table>`
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`
}
