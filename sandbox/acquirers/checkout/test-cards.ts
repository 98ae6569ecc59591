/** Which card ends how. Every other valid number is approved, as in Checkout.com's own sandbox. */

// biome-ignore format: a table is read in columns.
const declines = [
  // number (Checkout.com's list)  code     summary
  [ '4111111111111129',            '20001', 'Refer to card issuer' ],
  [ '4024007103573027',            '20012', 'Invalid transaction' ],
  [ '4485381577182090',            '20014', 'Invalid card number' ],
  [ '4544249167673670',            '20051', 'Insufficient Funds' ],
  [ '4724117215951699',            '20054', 'Expired card' ],
  [ '4151512736305999',            '20057', 'Transaction not permitted to cardholder' ],
  [ '4897453568485113',            '20059', 'Suspected fraud' ],
  [ '4556294593757189',            '20061', 'Activity amount limit exceeded' ],
  [ '4818924250131070',            '20062', 'Restricted card' ],
  [ '4556253752712245',            '20063', 'Security violation' ],
  [ '4095254802642505',            '20068', 'Response received too late / timeout' ],
  [ '4532819413487978',            '20078', 'Blocked at first use' ],
  [ '4734868958733862',            '200N7', 'Decline for CVV2 failure' ],
  [ '4567361325981788',            '200R3', 'Issuer initiated a stop payment for all authorizations' ],
] as const

/** The issuer of this card asks for 3-D Secure. The choice is the stand-in's own. */
const authenticationNumber = '4242424242424242'

export interface Verdict {
  readonly code: string
  readonly summary: string
}

export const approvedVerdict: Verdict = { code: '10000', summary: 'Approved' }
export const authenticationRequired: Verdict = { code: '20154', summary: '3DS authentication required' }
export const authenticationFailed: Verdict = { code: '20151', summary: 'Cardholder failed 3DS authentication' }

export function verdictOn(number: string, isAuthenticated: boolean): Verdict {
  if (number === authenticationNumber && !isAuthenticated) return authenticationRequired
  const [, code, summary] = declines.find(([declined]) => declined === number) ?? []
  return code === undefined || summary === undefined ? approvedVerdict : { code, summary }
}
