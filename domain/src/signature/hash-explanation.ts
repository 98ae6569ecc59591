/**
 * Explains a wrong hash to the merchant's developer: the formula, the values that it covers, the text before the digest, and the usual
 * mistake that leads to the hash that was sent.
 *
 * The explanation is stored and shown, so it contains neither the password nor what identifies a card or a payer: those characters are
 * stars, which neither reversing nor upper-casing changes. The password always has the same number of stars, so that its length
 * stays secret as well.
 */
import { createHash } from 'node:crypto'
import { type Digest, type Formula, hashMatches, signedBytes, type Values, type VerifyingKeys } from './signature.ts'

export interface HashExplanation {
  /** In the notation of the documentation. */
  readonly formula: string
  /** In the order of the formula; null for a value that was not sent. */
  readonly values: readonly SignedValue[]
  /** The text before the digest. */
  readonly text: string
  /** What was probably done wrong; null if no usual mistake leads to the hash that was sent. */
  readonly mistake: string | null
}

interface SignedValue {
  readonly name: string
  readonly value: string | null
}

interface SignedContent {
  /** The first is explained; mistakes are sought in all. */
  readonly formulas: readonly Formula[]
  readonly values: Values
  /** Checkout takes sha1 over the hexadecimal text of the digest. */
  readonly isDigestedTwice: boolean
}

const hiddenPassword = '********'
const longestText = 500

export function explainHash(hash: unknown, content: SignedContent, keys: VerifyingKeys): HashExplanation {
  const { formulas, values, isDigestedTwice } = content
  const [formula = []] = formulas
  const names = [...new Set(termsOf(formula))].filter((name) => name !== 'password')
  const shown: Values = Object.fromEntries(names.map((name) => [name, shownValue(name, values[name])]))
  const digested = `${keys.digest}(${writeFormula(formula)})`
  return {
    formula: isDigestedTwice ? `sha1(${digested})` : digested,
    values: names.map((name) => ({ name, value: shown[name] || null })),
    text: printableBytes(signedBytes(formula, shown, hiddenPassword)).slice(0, longestText),
    mistake: usualMistake(hash, content, keys),
  }
}

/** `rev` and `up` apply to the joined text in their brackets; a point joins. */
export function writeFormula(formula: Formula): string {
  return formula
    .map((part) => {
      if (typeof part === 'string') return part === 'password' ? 'PASSWORD' : part
      return part.step === 'up' ? `up( ${writeFormula(part.parts)} )` : `rev(${writeFormula(part.parts)})`
    })
    .join(' . ')
}

/** The notation of the chapters: bytes beyond ASCII as `\xNN`. */
export function printableBytes(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

function termsOf(formula: Formula): readonly string[] {
  return formula.flatMap((part) => (typeof part === 'string' ? [part] : termsOf(part.parts)))
}

const payerNames = ['email', 'payer_email', 'identifier']
const tokenNames = ['card_token', 'recurring_token']

/** With as many characters as were sent, so that a value of the wrong length can be seen. */
function shownValue(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (name === 'pan10') return maskWithStars(value, 0, 4)
  if (tokenNames.includes(name)) return maskWithStars(value, 4, 0)
  if (!payerNames.includes(name)) return value
  const at = value.lastIndexOf('@')
  return at === -1 ? maskWithStars(value, 1, 2) : maskWithStars(value.slice(0, at), 1, 0) + value.slice(at)
}

export function maskWithStars(value: string, shownFirst: number, shownLast: number): string {
  const hidden = Math.max(0, value.length - shownFirst - shownLast)
  if (hidden === 0) return '*'.repeat(value.length)
  return value.slice(0, shownFirst) + '*'.repeat(hidden) + value.slice(value.length - shownLast)
}

interface Mistake {
  readonly text: string
  readonly formula: (right: Formula) => Formula
}

// biome-ignore format: a table is read in columns.
const formulaMistakes: readonly Mistake[] = [
  { text: '',                                                        formula: (right) => right },
  { text: 'The text was not converted to upper case.',               formula: (right) => withoutStep(right, 'up') },
  { text: 'The values were not reversed.',                           formula: (right) => withoutStep(right, 'rev') },
  { text: 'The values were neither reversed nor converted to upper case.', formula: (right) => withoutStep(withoutStep(right, 'up'), 'rev') },
  { text: 'Each value was reversed by itself, not the joined text.', formula: (right) => reversedApart(right) },
  { text: 'The password is missing from the text.',                  formula: (right) => withoutPassword(right) },
]

function usualMistake(
  hash: unknown,
  { formulas, values, isDigestedTwice }: SignedContent,
  { passwords, digest }: VerifyingKeys,
): string | null {
  for (const used of [digest, digest === 'md5' ? 'sha256' : 'md5'] as const) {
    const wrongDigest = used === digest ? [] : [`The digest was ${used}; the merchant’s mapping requires ${digest}.`]
    for (const { text, formula } of formulaMistakes) {
      const texts = formulas
        // A formula without such a step is the right one again.
        .filter((right) => text === '' || writeFormula(formula(right)) !== writeFormula(right))
        .flatMap((right) => passwords.map((password) => signedBytes(formula(right), values, password)))
      for (const [finish, digested] of finishes(used, isDigestedTwice)) {
        const mistakes = [...wrongDigest, text, finish].filter((one) => one !== '')
        if (mistakes.length > 0 && texts.some((bytes) => hashMatches(hash, digested(bytes)))) return mistakes.join(' ')
      }
    }
  }
  return null
}

type Finish = readonly [mistake: string, digested: (bytes: Buffer) => string]

function finishes(digest: Digest, isDigestedTwice: boolean): readonly Finish[] {
  const inner = (bytes: Buffer) => createHash(digest).update(bytes)
  const sha1 = (data: string | Buffer): string => createHash('sha1').update(data).digest('hex')
  if (!isDigestedTwice) return [['', (bytes) => inner(bytes).digest('hex')]]
  return [
    ['', (bytes) => sha1(inner(bytes).digest('hex'))],
    [`The sha1 of the ${digest} is missing.`, (bytes) => inner(bytes).digest('hex')],
    [
      `The sha1 was taken over the bytes of the ${digest}, not over its hexadecimal text.`,
      (bytes) => sha1(inner(bytes).digest()),
    ],
  ]
}

const withoutStep = (formula: Formula, step: 'rev' | 'up'): Formula =>
  formula.flatMap((part): Formula => {
    if (typeof part === 'string') return [part]
    const parts = withoutStep(part.parts, step)
    return part.step === step ? parts : [{ ...part, parts }]
  })

const reversedApart = (formula: Formula): Formula =>
  formula.flatMap((part): Formula => {
    if (typeof part === 'string') return [part]
    if (part.step === 'rev') return part.parts.map((one) => ({ step: 'rev', parts: [one] }))
    return [{ ...part, parts: reversedApart(part.parts) }]
  })

const withoutPassword = (formula: Formula): Formula =>
  formula.flatMap((part): Formula => {
    if (typeof part === 'string') return part === 'password' ? [] : [part]
    return [{ ...part, parts: withoutPassword(part.parts) }]
  })
