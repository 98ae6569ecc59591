/**
 * Response codes of Checkout.com ("API response codes", December 2025) by what follows from them. The range says most: 20xxx may succeed
 * later, 30xxx not before the issuer or the cardholder acts, 4xxxx is the risk engine, 50xxx the bank of a payout. The codes below say
 * more than their range.
 */
import type { DeclineClass } from '#domain/payment/payment.ts'

// biome-ignore format: a table is read in columns.
const exceptions: readonly (readonly [DeclineClass, string])[] = [
  // The account is closed, the card does not exist, has ended or may not be used for this, or the payer said no.
  [ 'hard', `20004 20014 20016 20017 20018 20039 20052 20053 20054 20056 20057 20062 20067 20072 20078 20083 20093 20101 20103
             20151 20152 20179 20182 2005C 2006P 2009G 200R1 200R3 200T3 200T5` ],
  [ 'fraud', `20059 20063 20066 20183 30034 30037 30041 30043` ],
  [ 'authentication_required', `20154 43401` ],
  // Nothing is wrong with the card: a line, a host, a message, or the merchant's own settings.
  [ 'technical', `20003 20006 20009 20012 20013 20015 20020 20021 20022 20023 20024 20025 20026 20027 20028 20029 20030 20031 20032
                  20033 20040 20042 20058 20060 20064 20068 20082 20084 20085 20086 20088 20089 20090 20091 20092 20094 20095 20096
                  20097 20098 20102 20104 20105 20106 20107 20109 20110 20111 20112 20113 20114 20115 20116 20117 20118 20119 20120
                  20121 20122 20123 20124 20153 20155 20156 20157 20158 20159 20193 20197 200A4 200A5 200A6 200E0 200E2 200E3 200S4
                  200T2 30020 30045 30401 30402 30403 30404 30405 50003 50100 50150 50180 50200 50280 50399 50599` ],
]

const byCode: ReadonlyMap<string, DeclineClass> = new Map(
  exceptions.flatMap(([declineClass, codes]) => codes.split(/\s+/).map((code) => [code, declineClass] as const)),
)

const byRange: Readonly<Record<string, DeclineClass>> = { 2: 'soft', 3: 'hard', 4: 'fraud', 5: 'hard' }

/** A code that is not known yet has the class of its range; any other text has none. */
export function declineClassOf(code: string | null | undefined): DeclineClass {
  if (!code || !/^[0-9][0-9A-Z]{4}$/.test(code)) return 'unknown'
  return byCode.get(code) ?? byRange[code.charAt(0)] ?? 'unknown'
}

/** The payer failed or left the authentication, or let its time pass: another acquirer would ask the same payer again. */
const payersWords: Readonly<Record<string, string>> = {
  20017: 'Cancelled by payer',
  20151: 'Authentication failed',
  20152: 'Expired',
}

/** Checkout.com's own words, unless they do not say what the payer did. */
export const declineReasonOf = (code: string | null | undefined, summary: string | null | undefined): string =>
  payersWords[code ?? ''] ?? (summary || 'Declined')
