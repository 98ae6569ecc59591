/** The outcomes that answers and callbacks of S2S APM can report, each with an example payment. Chapter 20 §3, §14, §15. */
import type { Result } from '#domain/payment/decide.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { newPayment } from '#domain/payment/payment.ts'
import { beginRules, type FirstCommand, firstRules } from '#domain/payment/rules.ts'
import { examplePayment } from '../states.ts'
import { type Case, type CaseSubject, caseOf, endWith, laterCase, laterResults } from './answer-cases.ts'
import { lookUpExample } from './example-payment.ts'

/** Everything that can be known of a payment with a brand. */
const knownFacts: PaymentFacts = {
  ...lookUpExample('SETTLED'),
  protocol: 'S2S_APM',
  order: {
    id: 'ORDER-1',
    description: 'Shoes',
    amountMinor: 400n,
    amountDecimals: 2,
    currency: 'EUR',
    amountAsSent: null,
  },
  card: null,
  recurring: null,
  schedule: null,
  cardToken: null,
  brandDocument: 'payment_document_virtual',
}

const withoutWallet: PaymentFacts = { ...knownFacts, digitalWallet: null, panType: null }

const ofSale: CaseSubject = { action: 'SALE', kind: 'sale', known: knownFacts }

// biome-ignore format: a table is read in columns.
export const apmLookUpCases: readonly Case[] = [
  { heading: 'a sale',   facts: { ...knownFacts, status: 'SETTLED' },                     statuses: ['PREPARE', '3DS', 'REDIRECT', 'PENDING', 'SETTLED', 'REVERSAL', 'REFUND', 'VOID', 'CHARGEBACK'] },
  { heading: 'a debit',  facts: { ...withoutWallet, kind: 'debit', status: 'SETTLED' },   statuses: ['PREPARE', '3DS', 'REDIRECT', 'SETTLED', 'REVERSAL', 'CHARGEBACK'] },
  { heading: 'declined', facts: { ...withoutWallet, kind: 'credit', status: 'DECLINED' }, statuses: ['DECLINED'] },
]

interface Outcome {
  readonly of: string
  readonly results: readonly Result[]
  readonly whose?: Partial<PaymentFacts>
}

const ok: Outcome = { of: '', results: ['ok'] }
const declineOutcome: Outcome = { of: '', results: ['fail'] }
const unknownOutcome: Outcome = { of: '', results: ['unknown'] }
const away: Outcome = { of: '', results: ['3DS', 'REDIRECT'] }
const waitingOutcome: Outcome = { of: 'waiting for money', results: ['waiting'], whose: withoutWallet }

// biome-ignore format: a table is read in columns.
const firstOutcomes: Partial<Record<FirstCommand, readonly Outcome[]>> = {
  SALE:               [ ok, waitingOutcome, declineOutcome, away, unknownOutcome ],
  CREDIT2VIRTUAL:     [ ok, declineOutcome, unknownOutcome ],
  CREDIT2CRYPTO:      [ { of: '', results: ['waiting'] }, ok, declineOutcome, unknownOutcome ],
  DEBIT2VIRTUAL:      [ ok, { ...away, of: 'payer sent away' }, declineOutcome, unknownOutcome ],
  DEBIT2VIRTUAL_CALC: [ ok, declineOutcome ],
}

export function apmOutcomeCases(action: string): readonly Case[] {
  if (action === 'CHARGEBACK')
    return [caseOf(ofSale, [endWith(examplePayment('SETTLED', 'sale'), 'CHARGEBACK', 1n, 'ok')])]
  if (action === 'DEBIT2VIRTUAL_COMPLETE') return completions()
  if (isFirstCommand(action)) return (firstOutcomes[action] ?? []).map((outcome) => firstCase(action, outcome))
  const results = laterResults.filter((result) => result !== 'waiting' || action === 'CREDITVOID')
  const isLater = beginRules.some(({ command }) => command === action)
  return isLater ? results.map((result) => laterCase(action, result, ofSale)) : []
}

const isFirstCommand = (name: string): name is FirstCommand => name in firstRules

function firstCase(action: FirstCommand, { of, results, whose = {} }: Outcome): Case {
  const { kind, records, recordsHeld } = firstRules[action]
  // A hold never waits for money.
  const types = results.includes('waiting') ? [records] : [records, ...(recordsHeld ? [recordsHeld] : [])]
  const ends = types.flatMap((type) => {
    const before = newPayment({ kind, amountMinor: 400n, holds: type === 'AUTH', recurring: false })
    return results.map((result) => endWith(before, type, 400n, result))
  })
  const facts = kind === 'sale' ? knownFacts : withoutWallet
  return caseOf({ action, kind, known: { ...facts, ...whose } }, ends, of)
}

/** The debit of a calculated payment, which is reported under the action of its calculation. */
function completions(): readonly Case[] {
  const before = { ...examplePayment('PREPARE', 'debit'), inFlight: true }
  const whose: CaseSubject = { action: 'DEBIT2VIRTUAL_CALC', kind: 'debit', known: withoutWallet }
  return (firstOutcomes.DEBIT2VIRTUAL ?? []).map(({ of, results }) =>
    caseOf(
      whose,
      results.map((result) => endWith(before, 'DEBIT', 100n, result)),
      of,
    ),
  )
}
