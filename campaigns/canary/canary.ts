/**
 * Card numbers and verification codes that occur nowhere else, and all forms in which each may be written.
 *
 * All numbers share their first six digits, so that a search looks for a dozen beginnings and not for every number in every form.
 */
import { luhnValid, maskCard, pan10 } from '#domain/card.ts'
import type { Random } from '../stage/random.ts'

export interface Canary {
  readonly pan: string
  readonly code: string
}

const bin = '400012'

/** Above every year and port number that texts often contain. */
const lowestCode = 6000

interface Surroundings {
  /** Texts that are in the gateway's memory anyway, so that a code among them would prove nothing. */
  readonly alreadyInMemory: ReadonlySet<string>
  /** Numbers of other cards that are used beside the canaries and shown in part. */
  readonly otherNumbers: readonly string[]
}

/** All canaries of a campaign at once: the digits that are shown of any card contain no canary's code. */
export function createCanaries(
  random: Random,
  count: number,
  { alreadyInMemory, otherNumbers }: Surroundings,
): readonly Canary[] {
  const shownOfOthers = new Set(otherNumbers.flatMap(shownOf).flatMap(fourInARow))
  const codes = new Set<string>()
  while (codes.size < count) {
    const code = String(random.between(lowestCode, 9999))
    if (!alreadyInMemory.has(code) && !shownOfOthers.has(code)) codes.add(code)
  }
  return [...codes].map((code) => ({ pan: numberWithout(codes, random), code }))
}

/** What answers, callbacks, panel and logs may show of a number. */
export const shownOf = (pan: string): readonly string[] => [maskCard(pan), pan10(pan), pan.slice(0, 8), pan.slice(-4)]

const fourInARow = (text: string): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - 3) }, (_, at) => text.slice(at, at + 4))

function numberWithout(codes: ReadonlySet<string>, random: Random): string {
  for (;;) {
    const pan = cardNumber(random)
    if (
      !shownOf(pan)
        .flatMap(fourInARow)
        .some((four) => codes.has(four))
    )
      return pan
  }
}

function cardNumber(random: Random): string {
  const body = bin + random.digits(9)
  const check = Array.from({ length: 10 }, (_, digit) => digit).find((digit) => luhnValid(`${body}${digit}`)) ?? 0
  return `${body}${check}`
}

/** Every form in which a number may be written; the masked form (six digits, stars, four digits) is none of them. */
export function formsOf(pan: string): readonly Buffer[] {
  const groups = pan.match(/.{1,4}/g) ?? []
  return [
    ...['', ' ', '-', '+', '%20'].map((separator) => Buffer.from(groups.join(separator))),
    Buffer.from(pan, 'utf16le'),
    Buffer.from(pan, 'hex'),
    Buffer.from(Buffer.from(pan).toString('hex')),
    ...[0, 1, 2].map((offset) => base64Inside(pan, offset)),
  ]
}

/**
 * Base64 of a longer text that contains the number `offset` bytes after a group of three, without its ends, which depend on the
 * neighbouring text.
 */
function base64Inside(text: string, offset: number): Buffer {
  const encoded = Buffer.from(`${'\0'.repeat(offset)}${text}`)
    .toString('base64')
    .replace(/=+$/, '')
  const shared = offset === 0 ? 0 : offset + 1
  const whole = Math.floor(((offset + text.length) * 8) / 6)
  return Buffer.from(encoded.slice(shared, whole))
}
