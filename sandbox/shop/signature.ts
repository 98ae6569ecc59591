/**
 * The shop's signatures, implemented from the interface, because a merchant has none of the gateway's code. Chapter 30 §2, chapter 10 §4.
 */
import { createHmac, hash } from 'node:crypto'

/** `sha1(md5(UPPER(values . password)))`, upper-casing ASCII letters only. */
export function checkoutHash(values: readonly string[], password: string): string {
  return hash('sha1', hash('md5', upperCase([...values, password].join('')), 'hex'), 'hex')
}

/** CREATE_SCHEDULE covers only the password: `md5(UPPER(reversed))`. */
export function scheduleHash(password: string): string {
  return hash('md5', upperCase(password.split('').reverse().join('')), 'hex')
}

/** The return carries the outcome only in its hash: the one that fits is the outcome; null if none does. */
export function outcomeOfReturn(values: readonly string[], sentHash: string, password: string): string | null {
  const key = createHmac('sha256', password).update('payer return').digest()
  const netstring = (value: string): string => `${Buffer.byteLength(value)}:${value},`
  const fits = (outcome: string): boolean =>
    createHmac('sha256', key)
      .update([...values, outcome].map(netstring).join(''))
      .digest('hex') === sentHash.toLowerCase()
  return ['success', 'open', 'failure'].find(fits) ?? null
}

export const upperCase = (text: string): string => text.replace(/[a-z]+/g, (run) => run.toUpperCase())
