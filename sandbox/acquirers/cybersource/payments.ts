/** `POST /pts/v2/payments` and `POST /pts/v2/credits`. */

import { luhnValid } from '#domain/card.ts'
import { isObject } from '#domain/json.ts'
import { isStoredUuid } from '#domain/uuid.ts'
import type { Effect } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { Execution } from '../kit/idempotency.ts'
import { invalid, timeText } from './errors.ts'
import { verdictOn } from './test-amounts.ts'
import { executedVerdict, newId, type Transaction, type Transactions, type Verdict } from './transaction.ts'
import { answerTo, minorOf } from './views.ts'

export type Fields = Readonly<Record<string, unknown>>

export const fieldsIn = (value: unknown, ...path: readonly string[]): Fields => {
  const found = path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)
  return isObject(found) ? found : {}
}
export const textIn = (fields: Fields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** What every request says of itself. */
export function headOf(body: Fields, account: string) {
  const reference = fieldsIn(body, 'clientReferenceInformation')
  const merchantId = textIn(reference, 'transactionId')
  const code = textIn(reference, 'code')
  const ledgerId = uuidOf(merchantId) ?? uuidIn(textIn(reference, 'comments')) ?? code
  return { id: newId(), account, code, merchantId: merchantId === '' ? null : merchantId, ledgerId, at: timeText() }
}

/** The merchant's id is a UUID, which is too long for the field and therefore written in base 36. */
function uuidOf(merchantId: string): string | null {
  if (!/^[0-9a-z]{20,25}$/.test(merchantId)) return null
  const number = merchantId.split('').reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
  const hex = number.toString(16).padStart(32, '0')
  return hex.length > 32 ? null : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The whole of it: the comment of a payment is the order's description. */
const uuidIn = (comment: string): string | null => (isStoredUuid(comment) ? comment : null)

export function amountIn(body: Fields, part: 'orderInformation' | 'reversalInformation') {
  const details = fieldsIn(body, part, 'amountDetails')
  const [text, currency] = [textIn(details, 'totalAmount'), textIn(details, 'currency')]
  return { text, currency, minor: minorOf(text, currency) }
}

type FirstStep = 'payments' | 'credits'

export function request(step: FirstStep, body: Fields, account: string, known: Transactions): Execution<Transaction> {
  const { text, currency, minor } = amountIn(body, 'orderInformation')
  const faults = faultsIn(body)
  if (minor === null) return refuse('INVALID_DATA', 'orderInformation.amountDetails.totalAmount')
  if (faults.length > 0) return refuse('INVALID_DATA', ...faults)
  const head = headOf(body, account)
  if (isUsed(head, known)) return refuse('INVALID_DATA', 'clientReferenceInformation.transactionId')
  const isCaptured = fieldsIn(body, 'processingInformation').capture === true
  const transaction: Transaction = {
    ...head,
    kind: step === 'credits' ? 'credit' : isCaptured ? 'sale' : 'authorize',
    amount: minor,
    currency,
    lastFour: numberIn(body).slice(-4),
    verdict: step === 'credits' ? executedVerdict('PENDING') : verdictOn(text),
    of: null,
    isCanceled: false,
  }
  return { reply: answerTo(transaction), line: { items: [transaction], effects: [effectOf(transaction)] } }
}

/** The merchant's own id must be new. */
export const isUsed = (
  { account, merchantId }: Pick<Transaction, 'account' | 'merchantId'>,
  known: Transactions,
): boolean => merchantId !== null && known.withMerchantId(account, merchantId) !== undefined

export const refuse = (reason: string, ...fields: readonly string[]): Execution<Transaction> => ({
  reply: invalid(reason, ...fields),
  isRefused: true,
})

/** A wallet's token cannot be opened here, so that it stands for a card that is approved. */
function numberIn(body: Fields): string {
  const payment = fieldsIn(body, 'paymentInformation')
  if (isObject(payment.fluidData)) return '4111111111111111'
  return textIn(fieldsIn(payment, 'tokenizedCard'), 'number') || textIn(fieldsIn(payment, 'card'), 'number')
}

function faultsIn(body: Fields): readonly string[] {
  const card = {
    ...fieldsIn(body, 'paymentInformation', 'card'),
    ...fieldsIn(body, 'paymentInformation', 'tokenizedCard'),
  }
  const [month, year] = [Number(textIn(card, 'expirationMonth')), Number(textIn(card, 'expirationYear'))]
  const isPast = month > 0 && year > 0 && Date.UTC(year, month) <= now().getTime()
  const { code } = headOf(body, '')
  return [
    ...(code.length >= 1 && code.length <= 50 ? [] : ['clientReferenceInformation.code']),
    ...(luhnValid(numberIn(body)) ? [] : ['paymentInformation.card.number']),
    ...(isPast ? ['paymentInformation.card.expirationYear'] : []),
  ]
}

/** Of a payment that CyberSource held back after the issuer's approval nothing is executed but its hold, which counts as declined. */
export const effectOf = (transaction: Transaction): Effect => {
  const { account, ledgerId, code, kind, amount, currency, verdict, id } = transaction
  const state = stateOf(verdict)
  return { account, transactionId: ledgerId ?? code, kind, amount: String(amount), currency, state, reference: id }
}

const stateOf = ({ reason }: Verdict): Effect['state'] => (reason === null ? 'executed' : 'declined')
