/** The page to which rows with a redirect send the payer. Chapter 10 §12, "Redirect page"; chapter 20 §18. */

import { isObject } from '#domain/json.ts'
import { languageFor } from '../../kit/language.ts'
import { askPayer, tellPayer } from '../../kit/payer-page.ts'
import { type Reply, seeOther } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { Acquirer } from '../acquirer.ts'
import { amountOf, type Redirect, stateOf, type Transaction } from '../transaction.ts'
import { cancelledByPayer } from '../verdict.ts'
import { declinedAs } from './payer-report.ts'

export async function showRedirect(acquirer: Acquirer, call: Call): Promise<Reply> {
  const language = languageFor(call.languages)
  const found = findRedirect(acquirer, call)
  if (!found) return tellPayer(404, language, 'invalid')
  const { transaction, redirect } = found
  acquirer.settleDue()
  if (stateOf(transaction) !== 'redirect') return seeOther(redirect.returnUrl)

  const { currency, card } = transaction.record
  const payment = { merchant: redirect.merchant, amountMinor: amountOf(transaction), currency, card: card ?? '' }
  const buttons = (['approve', 'decline', 'leave'] as const).map((text) => ({ text, name: 'decision' }))
  return askPayer(language, payment, [{ action: null, method: 'post', fields: {}, buttons }])
}

export async function decideRedirect(acquirer: Acquirer, call: Call): Promise<Reply> {
  const language = languageFor(call.languages)
  const found = findRedirect(acquirer, call)
  if (!found) return tellPayer(404, language, 'invalid')
  const { transaction, redirect } = found

  const decision = decisionIn(call.body)
  if (decision === 'leave') return tellPayer(200, language, 'left')
  if (decision !== 'approve' && decision !== 'decline') return tellPayer(400, language, 'invalid')
  await acquirer.decide(transaction, decision === 'decline' ? declinedAs(cancelledByPayer) : undefined)
  return seeOther(redirect.returnUrl)
}

function findRedirect(
  { book }: Acquirer,
  { parameters: [paymentId = '', key = ''] }: Call,
): { readonly transaction: Transaction; readonly redirect: Redirect } | undefined {
  const transaction = book.atPage(paymentId, key)
  const redirect = transaction?.record.redirect
  return transaction && redirect ? { transaction, redirect } : undefined
}

const decisionIn = (body: unknown): unknown => (isObject(body) ? body.decision : undefined)
