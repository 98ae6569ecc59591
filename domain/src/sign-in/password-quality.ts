/**
 * Checks the quality of a chosen password: the rules of PCI DSS 8.3.6, and protection against the first guesses of an attacker.
 *
 * Common words, sequences and repetitions do not count towards the length, because attackers try them first: `Password-2024` counts
 * as four digits and a dash.
 */
import { commonWords } from './common-passwords.ts'

interface PasswordOwner {
  readonly email: string
  readonly name: string
}

const longest = 256
/** The minimum length without the guessable parts. */
const leastLeft = 8
const leastVariety = 5
/** A sequence or repetition of at least this length counts as one character. */
const runLength = 3
/** Shorter parts of a name are ignored, because they occur in too many words. */
const namePart = 4

/** The fault as one sentence, or null. */
export function passwordFault(password: string, owner: PasswordOwner, least: number): string | null {
  const text = password.normalize('NFKC').toLowerCase()
  if (password.length < least) return `Use at least ${least} characters.`
  if (password.length > longest) return `Use at most ${longest} characters.`
  if (!/\p{L}/u.test(text) || !/\p{N}/u.test(text)) return 'Use both letters and digits.'
  if (new Set(text).size < leastVariety) return `Use at least ${leastVariety} different characters.`
  if (namesOf(owner).some((name) => text.includes(name))) return 'Do not use your name or e-mail address.'
  if (isRepeated(text)) return 'Do not repeat the same few characters.'
  if (withoutRuns(text).length < leastLeft) return 'Do not use a sequence such as abcdef, qwerty or 123456.'
  if (withoutRuns(withoutCommonWords(text)).length < leastLeft)
    return 'Do not use a common password, even with a few characters added.'
  return null
}

function namesOf({ email, name }: PasswordOwner): readonly string[] {
  const [local = ''] = email.toLowerCase().split('@')
  return [local, ...local.split(/[^\p{L}]+/u), ...name.toLowerCase().split(/[^\p{L}]+/u)].filter(
    (part) => part.length >= namePart,
  )
}

/** True if the text is one part repeated; the last repetition may be incomplete. */
function isRepeated(text: string): boolean {
  const characters = Array.from(text)
  const periods = Array.from({ length: Math.floor(characters.length / 2) }, (_, index) => index + 1)
  return periods.some((period) => characters.every((one, at) => at < period || one === characters[at - period]))
}

const keyboard = ['`1234567890-=', 'qwertyuiop[]', 'qwertzuiop', 'azertyuiop', 'asdfghjkl;', 'zxcvbnm,./', 'yxcvbnm']

/** Each run of neighbours in the alphabet, in counting or on a keyboard, or of one character, is cut to its first character. */
function withoutRuns(text: string): string {
  const characters = Array.from(text)
  let left = ''
  for (let at = 0; at < characters.length; ) {
    let end = at + 1
    while (end < characters.length && isNext(characters[end - 1], characters[end], characters[end - 2], end - 2 >= at))
      end += 1
    left += end - at >= runLength ? characters[at] : characters.slice(at, end).join('')
    at = end
  }
  return left
}

function isNext(one = '', next = '', before = '', hasBefore = false): boolean {
  const step = stepOf(one, next)
  return step !== null && (!hasBefore || stepOf(before, one) === step)
}

/** `0` for the same character, `1` and `-1` for neighbours by code, `k1` and `k-1` for neighbours on a keyboard; null otherwise. */
function stepOf(one: string, next: string): string | null {
  const step = (next.codePointAt(0) ?? 0) - (one.codePointAt(0) ?? 0)
  const isPlain = /^[\p{L}\p{N}]$/u.test(one) && /^[\p{L}\p{N}]$/u.test(next)
  if (step === 0 || (isPlain && Math.abs(step) === 1)) return String(step)
  for (const row of keyboard) {
    const [from, to] = [row.indexOf(one), row.indexOf(next)]
    if (from >= 0 && to >= 0 && Math.abs(to - from) === 1) return `k${to - from}`
  }
  return null
}

// Each replaces exactly one letter, so that positions in both texts agree.
const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

function withoutCommonWords(text: string): string {
  const plain = text.replace(/[013457@$!]/g, (character) => lookalikes[character] ?? character)
  const isCommon = Array.from({ length: text.length }, () => false)
  for (const word of commonWords)
    for (const written of [text, plain])
      for (let at = written.indexOf(word); at >= 0; at = written.indexOf(word, at + 1))
        isCommon.fill(true, at, at + word.length)
  // Works on UTF-16 units, because positions count units and not characters.
  return text.replace(/[\s\S]/g, (unit, at: number) => (isCommon[at] ? '' : unit))
}
