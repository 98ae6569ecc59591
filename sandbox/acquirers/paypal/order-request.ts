/** Reads the body of a new order, as far as the stand-in needs it. */
import { randomBytes } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import { now } from '../kit/clock.ts'
import { amountIssue, type Money, type StoredCard, type StoredOrder } from './order.ts'
import { brandOf, challengedNumbers, rejections } from './test-cards.ts'

/** A 17-character id, as PayPal has them. */
export const newId = (): string => randomBytes(16).toString('hex').toUpperCase().slice(0, 17)

type Reading =
  | { readonly ok: true; readonly order: StoredOrder }
  | { readonly ok: false; readonly status: 400 | 422; readonly issue: string }

const fault = (status: 400 | 422, issue: string): Reading => ({ ok: false, status, issue })

const child = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export function readMoney(value: unknown): Money | null {
  const [currency, amount] = [textOf(child(value, 'currency_code')), textOf(child(value, 'value'))]
  return currency !== null && amount !== null ? { currency_code: currency, value: amount } : null
}

export function readOrderRequest(body: unknown, account: string): Reading {
  const units = child(body, 'purchase_units')
  const unit: unknown = Array.isArray(units) ? units[0] : undefined
  const intent = child(body, 'intent')
  if (intent !== 'CAPTURE' && intent !== 'AUTHORIZE') return fault(400, 'MISSING_REQUIRED_PARAMETER')
  const amount = readMoney(child(unit, 'amount'))
  if (!amount) return fault(400, 'MISSING_REQUIRED_PARAMETER')
  const issue = amountIssue(amount)
  if (issue) return fault(422, issue)

  const sourced = readSource(child(body, 'payment_source'))
  if (!sourced.ok) return fault(422, sourced.issue)
  const { card, context, rejection, needsPayer } = sourced.source
  return {
    ok: true,
    order: {
      id: newId(),
      account,
      createdAt: now().toISOString(),
      intent,
      status: needsPayer ? 'PAYER_ACTION_REQUIRED' : 'APPROVED',
      referenceId: textOf(child(unit, 'reference_id')) ?? 'default',
      customId: textOf(child(unit, 'custom_id')),
      invoiceId: textOf(child(unit, 'invoice_id')),
      amount,
      card,
      rejection,
      pageKey: randomBytes(16).toString('hex'),
      returnUrl: textOf(child(context, 'return_url')) ?? '',
      cancelUrl: textOf(child(context, 'cancel_url')) ?? '',
      authorization: null,
      captures: [],
    },
  }
}

interface Source {
  readonly card: StoredCard | null
  readonly context: unknown
  readonly rejection: string | null
  readonly needsPayer: boolean
}

type SourceReading = { readonly ok: true; readonly source: Source } | { readonly ok: false; readonly issue: string }

function readSource(source: unknown): SourceReading {
  const account = child(source, 'paypal')
  if (account !== undefined)
    return {
      ok: true,
      source: { card: null, context: child(account, 'experience_context'), rejection: null, needsPayer: true },
    }
  const card = child(source, 'card')
  const vaultId = textOf(child(card, 'vault_id'))
  const number = textOf(child(card, 'number')) ?? ''
  if (vaultId === null && !/^[0-9]{13,19}$/.test(number)) return { ok: false, issue: 'CARD_NUMBER_REQUIRED' }
  if (vaultId === null && textOf(child(card, 'expiry')) === null) return { ok: false, issue: 'CARD_EXPIRY_REQUIRED' }
  const isMerchants = child(card, 'stored_credential', 'payment_initiator') === 'MERCHANT'
  if (isMerchants && child(card, 'security_code') !== undefined)
    return { ok: false, issue: 'MERCHANT_INITIATED_WITH_SECURITY_CODE' }
  const method = child(card, 'attributes', 'verification', 'method')
  const isStored = child(card, 'attributes', 'vault', 'store_in_vault') === 'ON_SUCCESS'
  const read = {
    // The vault's id ends with the last four digits, so that nothing else of the card need be remembered.
    card: {
      lastDigits: vaultId === null ? number.slice(-4) : vaultId.slice(-4),
      brand: brandOf(number),
      vaultId: isStored ? `vault${newId().toLowerCase()}${number.slice(-4)}` : null,
    },
    context: child(card, 'experience_context'),
    rejection: rejections.get(textOf(child(card, 'name')) ?? '') ?? null,
    needsPayer: method === 'SCA_ALWAYS' || (method !== undefined && challengedNumbers.has(number)),
  }
  return { ok: true, source: read }
}
