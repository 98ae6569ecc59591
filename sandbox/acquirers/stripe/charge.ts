/** POST /v1/payment_intents and /v1/setup_intents: makes an intent and confirms it, and goes on once the payer has authenticated. */
import { randomBytes } from 'node:crypto'
import type { Effect, Line } from '../kit/books.ts'
import { brandOf } from '../kit/card-brands.ts'
import { now } from '../kit/clock.ts'
import type { Execution } from '../kit/idempotency.ts'
import { faultOf, toMinor } from './amounts.ts'
import { disputesOf, openingEffects, openingNotices } from './disputes.ts'
import { authenticationFailure, cardError, invalid } from './errors.ts'
import { type IntentRecord, type Item, newId, type Records } from './records.ts'
import { type Verdict, verdictOn } from './test-cards.ts'
import { showIntent } from './views.ts'
import { eventOf } from './webhook.ts'

export type Fields = Readonly<Record<string, string>>

export interface Caller {
  readonly account: string
  readonly fields: Fields
  readonly records: Records
  /** The merchant's id of the transaction, as far as it said. */
  readonly key: string
  /** Of this program, as the client knows it. */
  readonly url: string
}

export function createIntent(object: IntentRecord['object'], caller: Caller): Execution<Item> {
  const { fields } = caller
  const currency = (fields['currency'] ?? '').toUpperCase()
  const amount = object === 'payment_intent' ? Number(fields['amount']) : 0
  const fault = object === 'payment_intent' ? faultOf(amount, currency) : null
  const unknown = Object.keys(fields).find((name) => !known.test(name))
  if (unknown) return refuse(invalid(400, 'parameter_unknown', `Received unknown parameter: ${unknown.slice(0, 60)}`))
  if (fault) return refuse(invalid(400, fault, 'Invalid amount.'))
  if (fields['confirm'] !== 'true') return refuse(invalid(400, 'parameter_missing', 'This stand-in confirms at once.'))
  const card = cardOf(caller)
  if (!card) return refuse(invalid(400, 'parameter_missing', 'Missing card.'))
  const verdict = verdictOn(card.number, card.year, card.month, now())
  // Stripe refuses such a number before it makes an intent.
  if (verdict.kind === 'invalid')
    return { reply: { status: 402, body: { error: cardError(verdict.declineCode ?? 'incorrect_number') } } }

  const fresh: IntentRecord = {
    object,
    id: newId(object === 'payment_intent' ? 'pi' : 'seti'),
    account: caller.account,
    amount,
    currency: currency.toLowerCase(),
    captureMethod: fields['capture_method'] === 'manual' ? 'manual' : 'automatic',
    created: Math.floor(now().getTime() / 1000),
    status: 'requires_payment_method',
    metadata: metadataIn(fields),
    paymentMethod: card.paymentMethod,
    customer: fields['customer'] ?? null,
    lastFour: card.number.slice(-4),
    brand: brandOf(card.number),
    hasCvc: card.hasCvc,
    charge: null,
    amountReceived: 0,
    amountRefunded: 0,
    error: null,
    cancellationReason: null,
    page: null,
    afterwards: verdict.afterwards,
  }
  return confirm(fresh, verdict, caller)
}

const refuse = (reply: Execution<Item>['reply']): Execution<Item> => ({ reply, isRefused: true })

const known =
  /^(?:amount|currency|capture_method|confirm|customer|payment_method|description|statement_descriptor_suffix|setup_future_usage|usage|off_session|return_url|error_on_requires_action|(?:payment_method_data|payment_method_options|payment_details|metadata|expand|allowed_payment_method_types)\[.*)$/

function confirm(fresh: IntentRecord, verdict: Verdict, { fields, url }: Caller): Execution<Item> {
  const isExempt =
    fields['payment_method_options[card][moto]'] === 'true' ||
    fields['payment_method_options[card][three_d_secure][cryptogram]'] !== undefined ||
    fields['payment_method_options[card][network_token][cryptogram]'] !== undefined ||
    fields['payment_method_options[card][mit_exemption][network_transaction_id]'] !== undefined
  const mustAuthenticate = verdict.kind === 'authenticate' && !isExempt
  const returnUrl = fields['return_url']
  if (mustAuthenticate && returnUrl !== undefined && fields['off_session'] === undefined) {
    const key = randomBytes(24).toString('base64url')
    const page = { key, url: `${url}/pages/${key}`, returnUrl, declineCode: verdict.declineCode, isDecided: false }
    const waiting: IntentRecord = { ...fresh, status: 'requires_action', page }
    return { reply: { status: 200, body: showIntent(waiting, true) }, line: { items: [waiting] } }
  }
  const { intent, line } = decide(fresh, mustAuthenticate ? 'authentication_required' : verdict.declineCode)
  if (!intent.error) return { reply: { status: 200, body: showIntent(intent, true) }, line }
  return {
    reply: { status: 402, body: { error: { ...intent.error, [intent.object]: showIntent(intent, false) } } },
    line,
  }
}

interface Decision {
  readonly intent: IntentRecord
  readonly line: Line<Item>
}

/** The issuer's answer. `declineCode` is null for an approval. */
function decide(before: IntentRecord, declineCode: string | null): Decision {
  const charge = newId(before.object === 'payment_intent' ? 'ch' : 'setatt')
  const isHold = before.object === 'payment_intent' && before.captureMethod === 'manual'
  const intent: IntentRecord = declineCode
    ? { ...before, charge, status: 'requires_payment_method', error: cardError(declineCode) }
    : {
        ...before,
        charge,
        status: isHold ? 'requires_capture' : 'succeeded',
        error: null,
        amountReceived: isHold ? 0 : before.amount,
      }
  const type = declineCode
    ? failedTypes[intent.object]
    : isHold
      ? 'payment_intent.amount_capturable_updated'
      : `${intent.object}.succeeded`
  const disputes = declineCode === null && !isHold ? disputesOf(intent) : []
  return {
    intent,
    line: {
      items: [intent, ...disputes],
      effects: [
        effectOf(intent, declineCode === null),
        ...disputes.flatMap((dispute) => openingEffects(dispute, intent)),
      ],
      notices: [eventOf(intent.account, type, showIntent(intent, false)), ...disputes.flatMap(openingNotices)],
    },
  }
}

const failedTypes = {
  payment_intent: 'payment_intent.payment_failed',
  setup_intent: 'setup_intent.setup_failed',
} as const

function effectOf(intent: IntentRecord, isExecuted: boolean): Effect {
  const { account, metadata, captureMethod, amount, id, object } = intent
  const currency = intent.currency.toUpperCase()
  return {
    account,
    transactionId: metadata['transaction_id'] ?? '',
    kind: captureMethod === 'manual' || object === 'setup_intent' ? 'authorize' : 'sale',
    amount: toMinor(amount, currency),
    currency,
    state: isExecuted ? 'executed' : 'declined',
    reference: id,
  }
}

/** The payer has decided on the page. */
export function continueIntent(before: IntentRecord, decision: 'approve' | 'decline'): Decision {
  const { page } = before
  const decided: IntentRecord = { ...before, page: page && { ...page, isDecided: true } }
  if (decision === 'approve') return decide(decided, page?.declineCode ?? null)
  const intent: IntentRecord = {
    ...decided,
    status: 'requires_payment_method',
    error: authenticationFailure(before.object),
  }
  const notices = [eventOf(intent.account, failedTypes[intent.object], showIntent(intent, false))]
  return { intent, line: { items: [intent], effects: [effectOf(intent, false)], notices } }
}

export function metadataIn(fields: Fields): Readonly<Record<string, string>> {
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

interface ChargedCard {
  readonly number: string
  readonly year: number
  readonly month: number
  readonly hasCvc: boolean
  readonly paymentMethod: string
}

/** A number, a network token, a token of Stripe, or a payment method that a customer has. */
function cardOf({ fields, records, account }: Caller): ChargedCard | null {
  const at = (name: string): string | undefined => fields[`payment_method_data[card][${name}]`]
  const always = { year: 2099, month: 12, hasCvc: false }
  const registered = fields['payment_method']
  if (registered !== undefined) {
    const isKnown = records
      .list('payment_intent', account)
      .some(({ paymentMethod, customer }) => paymentMethod === registered && customer === fields['customer'])
    return isKnown ? { ...always, number: approvedNumber, paymentMethod: registered } : null
  }
  const paymentMethod = newId('pm')
  const token = at('token')
  if (token !== undefined) {
    const isKnown = token === testToken || records.find('token', account, token) !== undefined
    return isKnown ? { ...always, number: approvedNumber, paymentMethod } : null
  }
  const inner = at('number') === undefined ? 'network_token][' : ''
  const number = at(`${inner}number`)
  if (number === undefined) return null
  return {
    number,
    year: Number(at(`${inner}exp_year`)),
    month: Number(at(`${inner}exp_month`)),
    hasCvc: at('cvc') !== undefined,
    paymentMethod,
  }
}

/** Stands for a card whose number the stand-in has not been told, or has forgotten. */
const approvedNumber = '4242424242424242'
/** Of Stripe's documented test tokens. */
const testToken = 'tok_visa'
