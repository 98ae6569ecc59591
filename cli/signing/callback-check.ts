/** Verifies a callback: its `hash`, by the formula of its protocol, and its signature headers. */
import { pan10 } from '#domain/card.ts'
import { formulaNamed, type NamedFormula, textsOf } from '#domain/signature/formula-table.ts'
import { type Digest, type Tree, verifyWebhook } from '#domain/signature/signature.ts'
import { fieldOf } from './callback-body.ts'

/** `how` and `why` end a sentence that is shown to the operator. */
export type Verdict = { readonly good: true; readonly how: string } | { readonly good: false; readonly why: string }

/** What the merchant knows about the payment and the callback may omit. */
export interface KnownPayment {
  readonly email?: string | undefined
  readonly pan10?: string | undefined
}

interface HashKeys {
  readonly passwords: readonly string[]
  readonly digests: readonly Digest[]
}

export function checkHash(fields: Tree, known: KnownPayment, keys: HashKeys): Verdict {
  const hash = fieldOf(fields, 'hash')
  if (hash === undefined) return { good: false, why: 'the callback has no hash' }

  const values = valuesOf(fields, known)
  const candidates = formulasFor(fields)
  for (const formula of candidates) {
    for (const digest of keys.digests) {
      // Formula C1 covers exactly the fields that were sent.
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

interface SignatureKeys {
  readonly secrets: readonly string[]
  readonly nowSeconds: number
  readonly toleranceSeconds: number
}

/** Chapter 10 §11.1. A valid signature with an old timestamp is reported differently from a wrong signature. */
export function checkSignature(headers: SignatureHeaders, body: Buffer, keys: SignatureKeys): Verdict {
  const { id, timestamp, signature } = headers
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return { good: false, why: 'one of the headers webhook-id, webhook-timestamp and webhook-signature is missing' }
  }
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp)) return { good: false, why: 'webhook-timestamp is not in Unix seconds' }

  const at = Number(timestamp)
  const fits = keys.secrets.some((secret) =>
    verifyWebhook(secret, { id, timestamp, signature }, body, { nowSeconds: at }),
  )
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

/** A callback does not name its protocol, but its fields leave only a few formulas to try. */
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

/** The usual reason for a mismatch: Formula 2 covers values that the callback itself does not contain. */
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
