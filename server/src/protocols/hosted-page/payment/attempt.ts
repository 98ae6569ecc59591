/** Turns the body of a payment call into an attempt on the session. Chapter 30 §7.3 to §7.5, §7.10. */

import { parameterRows } from '#domain/brand/brand.ts'
import { readParameters, schemaViolation } from '#domain/brand/brand-parameters.ts'
import { errors, type Violation, violations } from '#domain/errors.ts'
import { wallets } from '#domain/mid.ts'
import { amountSign, parseAmount } from '#domain/money/money.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import type { Configuration } from '../../../contracts/ports.ts'
import type { JsonObject } from '../../../contracts/records.ts'
import { invalid, RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionRecord } from '../../../contracts/session-records.ts'
import type { SavedCard } from '../../../payments/methods/saved-card.ts'
import type { Offer, OfferedMethod } from '../../../payments/sessions/offer.ts'
import { payeeOf, payerOf } from '../../../payments/sessions/people.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { extrasOf, type PaidWith, type SessionAttempt } from '../../../payments/sessions/session-payment.ts'
import type { Values } from '../../kit/values/params.ts'
import { networkOfCard } from '../session/networks.ts'
import { asksTerms } from '../session/terms.ts'
import type { attemptParams } from './attempt-params.ts'
import { checkDigit, checkNumber, codeFor, savedCardPaid } from './entered-card.ts'
import { brandActionOf, fieldsOf, isOfHolder, orderFacts, type PageField } from './method-fields.ts'
import { onPage, type Persons, personViolations } from './payer-fields.ts'
import { noPerson, sheetPerson } from './sheet-person.ts'

type AttemptInput = Values<typeof attemptParams>

interface AttemptFacts {
  readonly configuration: Pick<Configuration, 'brandEnabled'>
  readonly context: SessionContext
  readonly offer: Pick<Offer, 'methods' | 'leftOut'>
  readonly savedCards: readonly SavedCard[]
  readonly payerIp: string
  readonly language: string
  readonly requestId: string
  /** Browser attributes from the request's headers. */
  readonly headers: Pick<BrowserFacts, 'acceptHeaders' | 'userAgent'>
}

export function readAttempt(input: AttemptInput, facts: AttemptFacts): SessionAttempt {
  const { session, mapping } = facts.context
  const method = methodNamed(input.method, facts.offer)
  const sheet = method.code === 'walletbpay' && input.wallet_token ? sheetPerson(input.wallet_token) : noPerson
  const persons = onPage(session.request, {
    customer: { ...sheet.customer, ...input.customer },
    billingAddress: { ...sheet.billingAddress, ...input.billing_address },
    payee: input.payee?.name === undefined ? {} : { name: input.payee.name },
  })
  const fields = fieldsOf(facts.context, method, facts.language).filter(
    (field) => input.card_token === undefined || !isOfHolder(field),
  )
  refuse([...personViolations(fields, persons), ...boxViolations(session, method, input, mapping)])
  return {
    id: input.attempt_id,
    method,
    paidWith: paidWith(input, facts, method, persons),
    payer: payerOf(persons),
    payee: payeeOf({ ...session.request, payee: persons.payee }),
    payeeCard: payeeCardOf(session, input),
    amount: amountOf(facts.context, input),
    payerIp: facts.payerIp,
    language: facts.language,
    consent: session.request.consentRequired ? input.consent : null,
    browser: input.browser_info && { ...input.browser_info, ...facts.headers },
    requestId: facts.requestId,
  }
}

function refuse(faults: readonly Violation[]): void {
  if (faults.length > 0) throw invalid(...faults)
}

/** The payer must accept the terms if they are shown, and the consent only if a chain starts with a zero amount. Chapter 30 §7.4, §7.5. */
function boxViolations(
  session: SessionRecord,
  method: OfferedMethod,
  input: AttemptInput,
  mapping: SessionContext['mapping'],
): readonly Violation[] {
  const { consentRequired, order, formId } = session.request
  const lacksConsent = consentRequired && !input.consent && amountSign(order.amount ?? '1') === 'zero'
  return [
    ...(asksTerms(mapping, method, formId) && !input.terms ? [{ param: 'terms', text: violations.blank }] : []),
    ...(lacksConsent ? [{ param: 'consent', text: violations.blank }] : []),
  ]
}

function paidWith(input: AttemptInput, facts: AttemptFacts, method: OfferedMethod, persons: Persons): PaidWith {
  const { session } = facts.context
  switch (method.kind) {
    case 'card':
      if (input.card_token !== undefined) {
        return savedCardPaid(session, facts.savedCards, input.card_token, { code: input.cvv, expiry: input.expiry })
      }
      return enteredCard(input, facts, method)
    case 'wallet':
      if (!input.wallet_token) throw invalid({ param: 'wallet_token', text: violations.blank })
      return { kind: 'wallet', token: input.wallet_token }
    case 'brand':
      return brandPaid(input, facts.context, method, persons)
  }
}

function enteredCard(
  { card }: AttemptInput,
  { context, configuration }: AttemptFacts,
  method: OfferedMethod,
): PaidWith {
  if (!card) throw invalid({ param: 'card', text: violations.blank })
  checkNumber(card.number, 'card.number', method, configuration)
  const code = codeFor(context.session, networkOfCard(card.number), card.cvv, 'card.cvv')
  return { kind: 'card', number: card.number, expiry: card.expiry, code }
}

/** A wallet that was offered when the page was loaded and no longer is gets its own error, on which the page hides the button. */
function methodNamed(name: string, { methods, leftOut }: AttemptFacts['offer']): OfferedMethod {
  const isNamed = ({ code, sentAs }: Pick<OfferedMethod, 'code' | 'sentAs'>): boolean =>
    code === name || sentAs === name
  const method = methods.find(isNamed)
  if (method) return method
  const gone = leftOut.find(isNamed)
  const isWallet = wallets.some((wallet) => wallet === gone?.code)
  throw new RefusedError(isWallet ? errors.walletNotSupported : errors.methodNotSupported)
}

function brandPaid(input: AttemptInput, context: SessionContext, method: OfferedMethod, persons: Persons): PaidWith {
  const { brand } = method
  if (!brand) throw new RefusedError(errors.methodNotSupported)
  const { session, crypto } = context
  const { identifier: sent, ...extras } = extrasOf(session.request.parameters, method)
  const { identifier: entered, ...fields } = knownFields(input.fields, fieldsOf(context, method, 'en'))
  const identifier = textOf(sent) ?? textOf(entered) ?? persons.customer['email'] ?? null
  const order = { ...orderFacts(session.request, crypto), payerCountry: persons.billingAddress['country'] ?? null }
  const read = readParameters(parameterRows(brand, brandActionOf(session)), { ...fields, ...extras }, order)
  const wrong = schemaViolation(brand.identifierSchema, 'fields.identifier', identifier, order)
  refuse([...read.violations.map(asField), ...(wrong ? [wrong] : [])])
  return { kind: 'brand', identifier, parameters: read.values }
}

/** Drops fields that the page does not show: a payer must not add values to those that the acquirer receives. */
const knownFields = (input: JsonObject | null, fields: readonly PageField[]): JsonObject =>
  Object.fromEntries(
    Object.entries(input ?? {}).filter(([name]) => fields.some((one) => one.name === `fields.${name}`)),
  )

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const asField = ({ param, text }: Violation): Violation => ({
  param: param?.replace(/^parameters\[([^\]]*)\]/, 'fields.$1') ?? null,
  text,
})

function payeeCardOf({ operation }: SessionRecord, { payee_card }: AttemptInput): SessionAttempt['payeeCard'] {
  if (operation !== 'transfer') return null
  if (!payee_card) throw invalid({ param: 'payee_card.number', text: violations.blank })
  checkDigit(payee_card.number, 'payee_card.number')
  return payee_card.number
}

/** Payers may change the amount of a transfer only. Chapter 30 §3.3. */
function amountOf({ session, crypto }: SessionContext, { amount: text }: AttemptInput): SessionAttempt['amount'] {
  const { operation, request } = session
  if (operation !== 'transfer' || (text === undefined && request.order.amount !== '-1')) return null
  if (text === undefined) throw invalid({ param: 'amount', text: violations.blank })
  const sign = amountSign(text)
  const amount = sign === 'positive' ? parseAmount(text, request.order.currency, crypto) : sign
  if (typeof amount === 'object') return { text, amount }
  const isNothing = sign === 'zero' || sign === 'below-zero'
  throw invalid({ param: 'amount', text: isNothing ? violations.notPositive : violations.notValid })
}
