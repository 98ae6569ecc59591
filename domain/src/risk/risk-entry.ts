/** Entries of risk lists: what they name, how it is spelled, and which entries name a payment. Chapter 70 §7. */
import { accept, type Reading, refuse } from '../reading.ts'

export const riskLists = ['block', 'allow', 'review'] as const
export type RiskList = (typeof riskLists)[number]

// biome-ignore format: a table is read in columns.
export const riskKinds = {
  // kind          about                             how it is spelled
  'card':         ['the card',                       'a card fingerprint of 64 hexadecimal digits; it is taken from a payment'],
  'bin':          ['the first digits of the card',   'six to eight digits'],
  'email':        ['the payer’s e-mail address',     'an e-mail address'],
  'email-domain': ['the domain of the e-mail address', 'a domain such as example.com'],
  'ip':           ['the payer’s IP address',         'an IP address, or a range such as 203.0.113.0/24'],
  'country':      ['the payer’s or issuer’s country', 'two letters'],
  'phone':        ['the payer’s phone number',       'five to twenty digits, other characters are ignored'],
  'device':       ['the device',                     'a device id of up to 255 characters'],
  'customer':     ['the customer',                   'a customer id of up to 255 characters'],
} as const satisfies Readonly<Record<string, readonly [about: string, spelling: string]>>

export type RiskKind = keyof typeof riskKinds

export const isRiskKind = (text: string): text is RiskKind => Object.hasOwn(riskKinds, text)

// biome-ignore format: a table is read in columns.
const spellings: Readonly<Record<Exclude<RiskKind, 'ip'>, readonly [normal: (text: string) => string, valid: RegExp]>> = {
  'card':         [(text) => text.toLowerCase(),                       /^[0-9a-f]{64}$/],
  'bin':          [(text) => text,                                     /^[0-9]{6,8}$/],
  'email':        [(text) => text.toLowerCase(),                       /^[^\s@]{1,64}@[^\s@]{1,255}$/],
  'email-domain': [(text) => text.toLowerCase().replace(/^@/, ''),     /^[^\s@.]+(?:\.[^\s@.]+)+$/],
  'country':      [(text) => text.toUpperCase(),                       /^[A-Z]{2}$/],
  'phone':        [(text) => text.replace(/[^0-9]/g, ''),              /^[0-9]{5,20}$/],
  'device':       [(text) => text,                                     /^.{1,255}$/u],
  'customer':     [(text) => text,                                     /^.{1,255}$/u],
}

/** The value as it is stored and compared. Addresses are checked further where they are entered. */
export function readRiskValue(kind: RiskKind, text: string): Reading<string> {
  const typed = text.trim()
  if (kind === 'ip')
    return /^[0-9a-fA-F.:]{2,45}(?:\/[0-9]{1,3})?$/.test(typed) ? accept(typed) : refuse(riskKinds.ip[1])
  const [normal, valid] = spellings[kind]
  const value = normal(typed)
  return valid.test(value) ? accept(value) : refuse(riskKinds[kind][1])
}

/** The attributes of a payment that lists and velocity look at; null if the payment has none. */
export interface RiskSubject {
  /** The fingerprint of the number alone, the same for every merchant and expiry. */
  readonly card: string | null
  readonly bin: string | null
  readonly email: string | null
  readonly ip: string | null
  readonly countries: readonly string[]
  readonly phone: string | null
  readonly device: string | null
  readonly customer: string | null
}

export interface RiskKey {
  readonly kind: RiskKind
  readonly value: string
}

/** Every entry that would name this payment; ranges of addresses are compared by the database. */
export function riskKeysOf(subject: RiskSubject): readonly RiskKey[] {
  const { card, bin, email, ip, countries, phone, device, customer } = subject
  const domain = email?.split('@').at(-1) ?? null
  const values: readonly (readonly [RiskKind, string | null])[] = [
    ['card', card],
    ...[6, 7, 8].map((length) => ['bin', bin !== null && bin.length >= length ? bin.slice(0, length) : null] as const),
    ['email', email],
    ['email-domain', domain],
    ['ip', ip],
    ...countries.map((country) => ['country', country] as const),
    ['phone', phone],
    ['device', device],
    ['customer', customer],
  ]
  return values.flatMap(([kind, text]) => {
    const reading = text === null ? null : readRiskValue(kind, text)
    return reading?.ok ? [{ kind, value: reading.value }] : []
  })
}
