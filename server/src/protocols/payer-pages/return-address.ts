/** The payer's return address and its window. Chapter 10 §8.3, §8.4, chapter 20 §6.3. */
import { defaultMapping, type ProtocolMapping } from '#domain/mapping.ts'
import { formatAmount } from '#domain/money/money.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { selectFields } from '#domain/report-fields.ts'
import { returnOutcomeOf, signReturn } from '#domain/signature/payer-return.ts'
import { cardFormulas, type SigningKey, sign, signTree } from '#domain/signature/signature.ts'
import type { Configuration } from '../../contracts/ports.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Operations } from '../../payments/index.ts'

export interface ReturnParts {
  readonly configuration: Pick<Configuration, 'mapping' | 'readSecrets'>
  readonly operations: Pick<Operations, 'facts'>
}

/** The merchant's address with `trans_id`, `order_id` and `hash`; null for a payment without one. */
export async function returnAddress(parts: ReturnParts, payment: PaymentRecord): Promise<string | null> {
  const { termUrl } = payment.facts
  if (termUrl === undefined) return null
  const { configuration } = parts
  const { password } = await configuration.readSecrets(payment.merchantId)
  const mapping = configuration.mapping(payment.merchantId, payment.protocol) ?? {
    ...defaultMapping(payment.protocol),
    merchantId: payment.merchantId,
  }
  const key = { password: password.reveal(), digest: mapping.digest }
  const facts = parts.operations.facts({ payment })
  const named = { trans_id: payment.id, order_id: payment.orderId }
  const outcome = returnOutcomeOf(payment)
  const hash =
    mapping.returnSignature === 'own'
      ? signReturn({ ...named, ...orderOf(facts), outcome }, key.password)
      : callbackHash(named, facts, key)
  return withQuery(termUrl, { ...named, hash, ...additionalFields(facts, mapping) })
}

function orderOf({ order: { amountMinor, amountDecimals, currency } }: PaymentFacts) {
  const order_amount = amountMinor === null ? undefined : formatAmount(amountMinor, currency, amountDecimals)
  return { order_amount, order_currency: currency }
}

/** By mapping option only. Chapter 10 §8.3, chapter 20 §6.3. */
function callbackHash(named: Readonly<Record<string, string>>, facts: PaymentFacts, key: SigningKey): string {
  const { protocol, payer, card } = facts
  if (protocol === 'S2S_APM') return signTree(named, key)
  return sign(cardFormulas.return, { ...named, email: payer.email ?? undefined, pan10: card?.pan10 }, key)
}

/** Add Data to redirect, an option of S2S APM: these fields follow the hash and are not covered by it. Chapter 20 §6.3. */
function additionalFields(facts: PaymentFacts, { addToRedirect }: ProtocolMapping): Readonly<Record<string, string>> {
  if (facts.protocol !== 'S2S_APM') return {}
  const fields = selectFields(addToRedirect, facts, { protocol: 'S2S_APM', place: 'redirect' })
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}

/** The window of the return: Override Link Target of the MID, else the target that the merchant sent, else `_top`. Chapter 10 §8.4. */
export function returnWindow(
  { operations }: Pick<ReturnParts, 'operations'>,
  payment: PaymentRecord,
  framed: boolean,
): string {
  const override = operations.facts({ payment }).mid?.overrideLinkTarget
  return windowFor(override ?? (payment.facts.termTarget || '_top'), framed)
}

/** `_self` is the payer's present window. A target outside of a frame opens in a new window instead. */
export function windowFor(target: string, framed: boolean): string {
  switch (target.toLowerCase()) {
    case '_self':
      return '_self'
    case '_top':
    case '_parent':
      return framed ? '_blank' : '_self'
    default:
      return target
  }
}

/** Appends to the query and leaves the rest of the address unchanged, including a fragment at its end. */
export function withQuery(address: string, params: Readonly<Record<string, string>>): string {
  const end = address.indexOf('#') === -1 ? address.length : address.indexOf('#')
  const [before, fragment] = [address.slice(0, end), address.slice(end)]
  const query = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return inAscii(`${before}${jointAfter(before)}${query.join('&')}${fragment}`)
}

/** Only the first question mark begins the query; a later one is part of a value. */
function jointAfter(address: string): string {
  const query = address.indexOf('?')
  if (query === -1) return '?'
  return query === address.length - 1 || address.endsWith('&') ? '' : '&'
}

/** A header may contain ASCII only; browsers encode other characters in the same way. */
const inAscii = (address: string): string =>
  address.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
