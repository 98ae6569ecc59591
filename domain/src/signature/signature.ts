/**
 * Signatures: the `hash` of every request, callback and return, and the signature headers of callbacks.
 *
 * The formulas are written as the chapters write them, so that the tables can be laid side by side. All texts are handled
 * as bytes, one character per byte (latin1), because the interface reverses and upper-cases bytes, not letters.
 *
 * What is deliberately not here:
 * - no choice of formula: each action names its own, and the caller passes the values of the payment;
 * - no formula of the payer's return, which has a key of its own (`payer-return.ts`);
 * - no end time of an earlier password: the caller passes the passwords that are valid at the moment.
 *
 * Chapter 10 §4 and §11.1, Chapter 20 §4, Chapter 30 §2.
 */
import { createHmac, hash as digestOf } from 'node:crypto'
import { isSameText } from './same-text.ts'

export type Digest = 'md5' | 'sha256'

/** Output is signed with one password; requests verify against every password that is still valid. */
export interface SigningKey {
  readonly password: string
  readonly digest: Digest
}
export interface VerifyingKeys {
  readonly passwords: readonly string[]
  readonly digest: Digest
}

/** Parts joined without separator. A name stands for its value; `rev` and `up` act on the joined text of their own parts. */
export type Formula<Name extends string = string> = readonly Part<Name>[]
type Part<Name extends string> = Name | Step<Name>
interface Step<Name extends string> {
  readonly step: 'rev' | 'up'
  readonly parts: Formula<Name>
}

/** The values of a formula's names. An absent or empty value is left out of the text (Chapter 10 §4.3). */
export type Values<Name extends string = string> = Readonly<
  Partial<Record<Exclude<Name, 'password'>, string | undefined>>
>

const rev = <const Name extends string>(...parts: Formula<Name>): Step<Name> => ({ step: 'rev', parts })
const up = <const Name extends string>(...parts: Formula<Name>): Step<Name> => ({ step: 'up', parts })
const P = 'password'

/** Chapter 10 §4.2. */
// biome-ignore format: a table is read in columns.
export const cardFormulas = {
  // name             formula                                                               no. in the chapter
  start:            [ up(rev('email'), P, rev('pan10'))                         ],       // 1
  startWithToken:   [ up(rev('email'), P, rev('card_token'))                    ],       // 1 with token
  followUp:         [ up(rev('email'), P, 'trans_id', rev('pan10'))             ],       // 2
  createSchedule:   [ up(rev(P))                                                ],       // 3
  schedule:         [ up(rev('schedule_id', P))                                 ],       // 4
  credit:           [ up(P, rev('pan10'))                                       ],       // 5
  creditWithToken:  [ up(P, rev('card_token'))                                  ],       // 5 with token
  creditFollowUp:   [ up(P, 'trans_id', rev('pan10'))                           ],       // 6
  byOrder:          [ up(rev('email'), P, 'order_id', rev('pan10'))             ],       // 7
  wallet:           [ up(rev('email'), P)                                       ],       // 8
  return:           [ up(rev('email'), P, 'trans_id', 'order_id', rev('pan10')) ],       // Return, by mapping option only
} as const satisfies Record<string, Formula>

/** Chapter 20 §4.2. C1, the general callback signature, is `signTree`. */
// biome-ignore format: a table is read in columns.
export const apmFormulas = {
  // name            formula                                                                       id in the chapter
  start:           [ up(rev('identifier', 'order_id', 'order_amount', 'order_currency', P)) ],  // S1
  creditVoid:      [ up(rev('trans_id', P))                                                 ],  // S2
  followUp:        [ up(rev('trans_id')), P                                                 ],  // S3
  payout:          [ up(rev('order_id', 'order_amount', 'order_currency')), P               ],  // S4
  byOrder:         [ up(rev('order_id')), P                                                 ],  // S5
  payoutCallback:  [ up(rev('trans_id', 'order_id', 'status')), P                           ],  // C2
  cryptoCallback:  [ up(rev('payer_email'), P, 'trans_id')                                  ],  // C3
} as const satisfies Record<string, Formula>

/** Chapter 30 §2.2: the values in order, before the password. */
// biome-ignore format: a table is read in columns.
export const checkoutFormulas = {
  session:        [ 'order.number', 'order.amount', 'order.currency', 'order.description' ],
  payment:        [ 'payment_id' ],
  order:          [ 'order_id' ],
  paymentAmount:  [ 'payment_id', 'amount' ],
  recurring:      [ 'recurring_init_trans_id', 'recurring_token', 'order.number', 'order.amount', 'order.description' ],
  cardCredit:     [ 'order_id', 'order_amount', 'order_currency', 'order_description' ],
  callback:       [ 'id', 'order_number', 'order_amount', 'order_currency', 'order_description' ],
  // By mapping option only: its text is also the text of a callback and of a session.
  return:         [ 'payment_id', 'order_number', 'order_amount', 'order_currency', 'order_description' ],
} as const satisfies Record<string, readonly string[]>

/** The request for a session of wallet A, signed like one of Checkout. Chapter 40 §16. */
export const walletSessionTerms = ['domain', 'wallet'] as const

/** S2S: the hash of a formula, in lower-case hexadecimal. */
export function sign<Name extends string>(formula: Formula<Name>, values: Values<Name>, key: SigningKey): string {
  return hex(key.digest, signedBytes(formula, values, key.password))
}

export function verifies<Name extends string>(
  hash: unknown,
  formula: Formula<Name>,
  values: Values<Name>,
  { passwords, digest }: VerifyingKeys,
): boolean {
  return passwords.some((password) => hashMatches(hash, sign(formula, values, { password, digest })))
}

/**
 * The bytes that the digest is taken over. They contain the password, so they may explain a mismatch to its owner and never go to a log.
 */
export function signedBytes<Name extends string>(
  formula: Formula<Name>,
  values: Values<Name>,
  password: string,
): Buffer {
  return Buffer.from(joinParts(formula, { ...values, password: requirePassword(password) }), 'latin1')
}

/** The parameters of a callback as a tree of names, members and list items. A parameter that is not sent is undefined. */
export type Tree = { readonly [name: string]: Branch } | readonly Branch[]
export type Branch = string | undefined | Tree

/** S2S APM, C1 (Chapter 20 §4.3): every parameter takes part except `hash` itself. */
export function signTree(tree: Tree, key: SigningKey): string {
  return hex(key.digest, signedTreeBytes(tree, key.password))
}

export function signedTreeBytes(tree: Tree, password: string): Buffer {
  const entries = Object.entries(tree).filter(([name]) => name !== 'hash')
  return Buffer.from(upperCaseAscii(joinTree(entries) + bytes(requirePassword(password))), 'latin1')
}

/** How Checkout upper-cases the text of a hash: only the letters a to z, or all letters by the rules of Unicode. */
type UpperCasing = 'ascii' | 'unicode'

/** Checkout: our own output, upper-cased as the merchant's client does it (Chapter 30 §2.1). */
export function signCheckout<Name extends string>(
  names: readonly Name[],
  values: Values<Name>,
  key: SigningKey,
  upperCasing: UpperCasing = 'ascii',
): string {
  const text = checkoutText(names, values, key.password)
  return checkoutHash(upperCasing === 'ascii' ? upperCaseAscii(text) : text.toUpperCase(), key.digest)
}

/** Checkout: a request, which may have been upper-cased as ASCII or by the rules of Unicode (Chapter 30 §2.1). */
export function verifiesCheckout<Name extends string>(
  hash: unknown,
  names: readonly Name[],
  values: Values<Name>,
  { passwords, digest }: VerifyingKeys,
): boolean {
  return passwords.some((password) => {
    const text = checkoutText(names, values, password)
    const forms = isAscii(text) ? [upperCaseAscii(text)] : [upperCaseAscii(text), text.toUpperCase()]
    return forms.some((form) => hashMatches(hash, checkoutHash(form, digest)))
  })
}

/** Constant time and in any case of letters. A value that is not a hash counts as a wrong hash (Chapter 10 §2). */
export function hashMatches(hash: unknown, expected: string): boolean {
  return typeof hash === 'string' && isSameText(hash.toLowerCase(), expected.toLowerCase())
}

/** One entry of the header `webhook-signature`: `v1,` and the base64 of the HMAC (Chapter 10 §11.1). */
export function webhookSignature(
  secret: string,
  id: string,
  timestampSeconds: number,
  body: string | Uint8Array,
): string {
  const hmac = createHmac('sha256', webhookKey(secret)).update(`${id}.${timestampSeconds}.`).update(body)
  return `v1,${hmac.digest('base64')}`
}

export interface WebhookHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
}

interface WebhookTime {
  readonly nowSeconds: number
  readonly toleranceSeconds?: number
}

/**
 * For the receiver of a callback: whether it was signed with the secret, and recently.
 *
 * The header may hold several entries, one per active secret and possibly of later versions; one match is enough. The timestamp is
 * that of the attempt, so an old one means that a recorded callback is being replayed.
 */
export function verifyWebhook(
  secret: string,
  { id, timestamp, signature }: WebhookHeaders,
  body: string | Uint8Array,
  { nowSeconds, toleranceSeconds = 300 }: WebhookTime,
): boolean {
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp)) return false
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false

  const expected = webhookSignature(secret, id, Number(timestamp), body)
  return signature.split(' ').some((entry) => isSameText(entry, expected))
}

function joinParts(formula: Formula, values: Values & { readonly password: string }): string {
  return formula
    .map((part) => {
      if (typeof part === 'string') return bytes(values[part] ?? '')
      const text = joinParts(part.parts, values)
      return part.step === 'rev' ? reverseBytes(text) : upperCaseAscii(text)
    })
    .join('')
}

function joinTree(entries: readonly (readonly [string, Branch])[]): string {
  return entries
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([, branch = '']) =>
      typeof branch === 'string' ? reverseBytes(bytes(branch)) : joinTree(Object.entries(branch)),
    )
    .join('')
}

/** Whole numbers first and in their order, then all other names by their bytes (Chapter 20 §4.3, rule 3). */
function compareNames(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [isWholeNumber(a), isWholeNumber(b)]
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1
  if (aIsNumber && a.length !== b.length) return a.length - b.length
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function checkoutText<Name extends string>(names: readonly Name[], values: Values<Name>, password: string): string {
  const byName: Values = values
  return names.map((name) => byName[name] ?? '').join('') + requirePassword(password)
}

/** The outer digest is taken over the hexadecimal text of the inner one, not over its bytes (Chapter 30 §2.1). */
function checkoutHash(text: string, digest: Digest): string {
  return hex('sha1', hex(digest, text))
}

function webhookKey(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '', 'base64')
  if (key.length === 0) throw new RangeError('A signing secret is whsec_ and the base64 of its key.')
  return key
}

/** Throws for an empty password, because an attacker could compute a hash without one. */
export function requirePassword(password: string): string {
  if (password === '') throw new RangeError('Nothing is signed with an empty password.')
  return password
}

function hex(digest: Digest | 'sha1', data: string | Buffer): string {
  return digestOf(digest, data, 'hex')
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1')
const reverseBytes = (text: string): string => Buffer.from(text, 'latin1').reverse().toString('latin1')
/** Most texts have no other letters, and the rules of Unicode are the same for these. */
const upperCaseAscii = (text: string): string =>
  isAscii(text) ? text.toUpperCase() : text.replace(/[a-z]+/g, (run) => run.toUpperCase())
const isWholeNumber = (name: string): boolean => /^(?:0|[1-9][0-9]*)$/.test(name)
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length
