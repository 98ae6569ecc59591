/** Whether a callback is what it claims to be: its `hash`, by the formula of its protocol, and its signature headers. */
import { pan10 } from '#domain/card.ts'
import { type Digest, type Tree, verifyWebhook } from '#domain/signature/signature.ts'
import { fieldOf } from './callback-body.ts'
import { formulaNamed, type NamedFormula, textsOf } from './formulas.ts'

/** `how` and `why` are the ends of sentences for the operator. */
export type Finding = { readonly good: true; readonly how: string } | { readonly good: false; readonly why: string }

/** What the merchant knows of the payment and the callback need not carry. */
export interface KnownPayment {
  readonly email?: string | undefined
  readonly pan10?: string | undefined
}

export interface HashKeys {
  readonly passwords: readonly string[]
  readonly digests: readonly Digest[]
}

export function checkHash(fields: Tree, known: KnownPayment, keys: HashKeys): Finding {
  const hash = fieldOf(fields, 'hash')
  if (hash === undefined) return { good: false, why: 'the callback has no hash' }

  const values = valuesOf(fields, known)
  const candidates = formulasFor(fields)
  for (const formula of candidates) {
    for (const digest of keys.digests) {
      // C1 covers what was sent and nothing else.
      const covered = formula.terms === null ? fields : values
      if (formula.verifies(hash, covered, { passwords: keys.passwords, digest })) {
        return { good: true, how: `by ${formula.name} with ${digest}` }
      }
    }
  }
  return {
    good: false,
    why: `no known password matches ${candidates.map(({ name }) => name).join(', ')}${hint(values, candidates)}`,
  }
}

export interface SignatureHeaders {
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
}

export interface SignatureKeys {
  readonly secrets: readonly string[]
  readonly nowSeconds: number
  readonly toleranceSeconds: number
}

/** Chapter 10 §11.1. A signature that fits an old timestamp is told apart from one that fits nothing. */
export function checkSignature(headers: SignatureHeaders, body: Buffer, keys: SignatureKeys): Finding {
  const { id, timestamp, signature } = headers
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return { good: false, why: 'one of the headers webhook-id, webhook-timestamp and webhook-signature is missing' }
  }
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp)) return { good: false, why: 'webhook-timestamp is not in Unix seconds' }

  const at = Number(timestamp)
  const fits = keys.secrets.some((secret) => verifyWebhook(secret, { id, timestamp, signature }, body, at))
  if (!fits) return { good: false, why: 'no known secret matches; the body must be exactly as received' }
  const offSeconds = Math.abs(keys.nowSeconds - at)
  if (offSeconds > keys.toleranceSeconds) {
    return {
      good: false,
      why: `it matches, but its timestamp is ${Math.round(offSeconds)} s off; the tolerance is ${keys.toleranceSeconds} s`,
    }
  }
  return { good: true, how: 'by the secret' }
}

function valuesOf(fields: Tree, known: KnownPayment): Readonly<Record<string, string>> {
  const sent = textsOf(fields)
  const email = known.email ?? sent['payer_email']
  const card = known.pan10 ?? (sent['card'] === undefined ? undefined : pan10(sent['card']))
  return {
    ...sent,
    ...(email === undefined ? {} : { email, payer_email: email }),
    ...(card === undefined ? {} : { pan10: card }),
  }
}

/** A callback does not say which protocol it is of, but its fields leave few to try. */
function formulasFor(fields: Tree): readonly NamedFormula[] {
  const names = (): readonly string[] => {
    if (fieldOf(fields, 'order_number') !== undefined) return ['checkout.callback']
    switch (fieldOf(fields, 'action')) {
      case 'CREDIT2CARD':
        return ['card.credit-follow-up']
      case 'CREDIT2VIRTUAL':
      case 'CREDIT2CRYPTO':
        return ['apm.payout-callback']
      case 'SALE':
        return ['card.follow-up', 'apm.callback', 'apm.crypto-callback']
      default:
        return ['card.follow-up', 'apm.callback']
    }
  }
  return names().flatMap((name) => formulaNamed(name) ?? [])
}

/** The usual reason of a mismatch: Formula 2 covers what the callback itself does not show. */
function hint(values: Readonly<Record<string, string>>, candidates: readonly NamedFormula[]): string {
  const needed = new Set(
    candidates.filter(({ protocol }) => protocol === 'S2S_CARD').flatMap(({ terms }) => terms ?? []),
  )
  const unknown = [
    ...(needed.has('email') && values['email'] === undefined ? ['the payer’s e-mail'] : []),
    ...(needed.has('pan10') && values['pan10'] === undefined ? ['the card'] : []),
  ]
  return unknown.length === 0
    ? ''
    : `, and ${unknown.join(' and ')} of the payment ${unknown.length === 1 ? 'is' : 'are'} not known`
}
