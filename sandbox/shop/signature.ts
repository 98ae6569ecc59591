/**
 * The shop's signatures, implemented from the interface, because a merchant has none of the gateway's code. Chapter 30 §2, chapter 10 §4.
 */
import { hash } from 'node:crypto'

/** `sha1(md5(UPPER(values . password)))`, upper-casing ASCII letters only. */
export function checkoutHash(values: readonly string[], password: string): string {
  return hash('sha1', hash('md5', upperCase([...values, password].join('')), 'hex'), 'hex')
}

/** CREATE_SCHEDULE covers only the password: `md5(UPPER(reversed))`. */
export function scheduleHash(password: string): string {
  return hash('md5', upperCase(password.split('').reverse().join('')), 'hex')
}

export const upperCase = (text: string): string => text.replace(/[a-z]+/g, (run) => run.toUpperCase())
