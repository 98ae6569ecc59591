/**
 * The page of a payer who pays later, by crypto transfer or voucher: address, amount, and buttons that simulate the payment.
 * Chapter 20 §18, "crypto, voucher".
 */

import { isObject } from '#domain/json.ts'
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { languageFor } from '../../kit/language.ts'
import { askPayer, type Form, type PaymentShown, tellPayer } from '../../kit/payer-page.ts'
import { type Reply, seeOther } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { Acquirer } from '../acquirer.ts'
import { text } from '../payment-method.ts'
import { cryptoAddressOf, voucherReferenceOf } from '../references.ts'
import { awaitsPayer, type MoneyDue, type Transaction } from '../transaction.ts'
import { moneyDecision } from './payer-report.ts'

export async function showMoneyDue(acquirer: Acquirer, call: Call): Promise<Reply> {
  const language = languageFor(call.languages)
  const found = findMoneyDue(acquirer, call)
  if (!found) return tellPayer(404, language, 'invalid')
  acquirer.settleDue()
  if (awaitsPayer(found.transaction)) return askPayer(language, paymentShown(found), [formOf(found)])
  return returnPayer(found, () => askPayer(language, paymentShown(found), []))
}

export async function reportMoney(acquirer: Acquirer, call: Call): Promise<Reply> {
  const language = languageFor(call.languages)
  const found = findMoneyDue(acquirer, call)
  if (!found) return tellPayer(404, language, 'invalid')

  const { decision: word, amount } = isObject(call.body) ? call.body : {}
  if (word === 'leave') return tellPayer(200, language, 'left')
  if (word !== 'paid' && word !== 'expired') return tellPayer(400, language, 'invalid')
  const decision = moneyDecision(found.transaction, word, text(amount) ?? '')
  if (typeof decision === 'string') return tellPayer(400, language, 'invalid')
  await acquirer.decide(found.transaction, decision)
  return returnPayer(found, () => askPayer(language, paymentShown(found), []))
}

interface Found {
  readonly transaction: Transaction
  readonly money: MoneyDue
}

function findMoneyDue({ book }: Acquirer, { parameters: [paymentId = '', key = ''] }: Call): Found | undefined {
  const transaction = book.atPage(paymentId, key)
  const money = transaction?.record.money
  return transaction && money ? { transaction, money } : undefined
}

/** The payer has nothing more to do here: back to the shop, if there is an address for that. */
function returnPayer({ money: { returnUrl } }: Found, otherwise: () => Reply): Reply {
  return returnUrl === null ? otherwise() : seeOther(returnUrl)
}

function paymentShown({ transaction: { record }, money }: Found): PaymentShown {
  return {
    merchant: money.merchant,
    amountMinor: record.openAmount ? null : BigInt(record.amount),
    currency: record.currency,
    card: '',
    ...(money.by === 'crypto' && { address: cryptoAddressOf(money.key), network: money.network ?? '' }),
    ...(money.by === 'voucher' && { reference: voucherReferenceOf(record.number) }),
  }
}

/** The sender of a crypto payment may send any amount; the field initially has the requested one. */
function formOf({ transaction: { record }, money }: Found): Form {
  const buttons = (['paid', 'expired', 'leave'] as const).map((text) => ({ text, name: 'decision' }))
  const form: Form = { action: null, method: 'post', fields: {}, buttons }
  return money.by === 'crypto' ? { ...form, amount: askedAmount(record.amount, record.currency) } : form
}

function askedAmount(amount: string, currency: string): string {
  const known = exponentOf(currency, cryptoExponents) !== undefined
  return amount === '0' || !known ? '' : formatAmount(BigInt(amount), currency)
}
