/**
 * Which amount ends how; every other one is approved, whatever the card. CyberSource's own simulator answers by the amount as well, with a
 * list for each processor. Those from 2540 on are of its AIBMS list; the others, 2000 and the number of the reason, are the stand-in's own.
 */
import { executedVerdict, type Verdict } from './transaction.ts'

// biome-ignore format: a table is read in columns.
const table = [
  // amount  status                       reason                              number  network
  [ 2200,    'AUTHORIZED_PENDING_REVIEW', 'AVS_FAILED',                       200,    '00' ],
  [ 2202,    'DECLINED',                  'EXPIRED_CARD',                     202,    '54' ],
  [ 2204,    'DECLINED',                  'INSUFFICIENT_FUND',                204,    '51' ],
  [ 2205,    'DECLINED',                  'STOLEN_LOST_CARD',                 205,    '43' ],
  [ 2207,    'DECLINED',                  'ISSUER_UNAVAILABLE',               207,    '91' ],
  [ 2478,    'DECLINED',                  'CONSUMER_AUTHENTICATION_REQUIRED', 478,    '1A' ],
  [ 2480,    'AUTHORIZED_PENDING_REVIEW', 'DECISION_PROFILE_REVIEW',          480,    '00' ],
  [ 2481,    'AUTHORIZED_RISK_DECLINED',  'DECISION_PROFILE_REJECT',          481,    '00' ],
  [ 2540,    'DECLINED',                  'CONTACT_PROCESSOR',                201,    '01' ],
  [ 2553,    'DECLINED',                  'PROCESSOR_DECLINED',               203,    '05' ],
  [ 2555,    'DECLINED',                  'PROCESSOR_DECLINED',               203,    '04' ],
] as const

/** `amount` as the request writes it: `2204.00`. */
export function verdictOn(amount: string): Verdict {
  const [, status, reason, number, responseCode] = table.find(([one]) => one === Number(amount)) ?? []
  if (status === undefined || reason === undefined || number === undefined) return executedVerdict('AUTHORIZED')
  return { status, reason, number, responseCode: responseCode ?? '05' }
}

/** The issuer approved: its hold stands until it is reversed. */
export const holdsMoney = ({ status }: Verdict): boolean => status.startsWith('AUTHORIZED')
