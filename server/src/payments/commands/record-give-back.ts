/**
 * Records that people gave money back outside of this service: the service could not reverse a late charge, or a payer sent too little.
 * Chapter 70 §1, decisions/certainty#two-people. The ledger has no entry of such a charge, so there is none of its return either.
 */
import type { HandDecision } from '../../contracts/hand-decision.ts'
import type { OutcomeRecord, PaymentRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { readCurrentPayment } from '../exchange/current-payment.ts'
import { derivedId } from '../exchange/derived-id.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import { noConsequences } from '../outcome/consequences.ts'
import type { Deps } from '../request/deps.ts'
import type { HandResult } from './decide-by-hand.ts'

export interface GiveBackRequest {
  readonly merchantId: string
  readonly paymentId: string
  readonly byHand: HandDecision
  readonly reference: string
  readonly amountMinor: bigint
}

export async function recordGiveBack(deps: Deps, request: GiveBackRequest): Promise<HandResult> {
  const record = await deps.payments.find(request.merchantId, request.paymentId)
  if (!record) return { kind: 'refused', reason: 'The payment does not exist.' }
  const written = await writeCurrent({
    record,
    write: (payment) => write(deps, payment, request),
    read: () => readCurrentPayment(deps, record),
  })
  if (!written) throw new Error(`The return of payment ${record.id} could not be stored: the payment kept changing.`)
  return written
}

/** The transaction's id is derived from the approval's, so that a repetition after a crash finds it. */
async function write(deps: Deps, payment: PaymentRecord, request: GiveBackRequest): Promise<HandResult | null> {
  const { midId, merchantId, id: paymentId } = payment
  if (midId === null) return { kind: 'refused', reason: 'The payment was never sent to an acquirer.' }
  const id = derivedId(`given back ${request.byHand.approvalId}`)
  const earlier = (await deps.payments.listTransactions(merchantId, paymentId)).find((one) => one.id === id)
  if (earlier) return { kind: 'decided', payment, transaction: earlier }
  const recorded = composeOutcomeRecord(deps, payment, { ...request, midId, id })
  if ((await deps.payments.enter(recorded)) !== 'settled') return null
  return { kind: 'decided', payment: recorded.after, transaction: recorded.transaction }
}

function composeOutcomeRecord(
  deps: Deps,
  before: PaymentRecord,
  { id, midId, amountMinor, reference, byHand }: GiveBackRequest & { readonly id: string; readonly midId: string },
): OutcomeRecord {
  const at = deps.clock.now()
  const transaction = newTransaction(before, {
    id,
    type: 'REVERSAL',
    amountMinor,
    midId,
    parameters: null,
    creditvoidId: derivedId(`${id} creditvoid`),
    useId: null,
    createdAt: at,
  })
  return {
    ...noConsequences,
    before,
    after: { ...before, version: before.version + 1, updatedAt: at },
    transaction: { ...transaction, state: 'success', reference, facts: { byHand }, endedAt: at },
    askAt: null,
    entries: [],
    callback: null,
    token: null,
    step: null,
    at,
  }
}
