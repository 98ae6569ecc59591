/** Which card ends how. The numbers are those of Adyen's own list of test cards. */
export interface Verdict {
  readonly result: 'Authorised' | 'Refused' | 'RedirectShopper'
  readonly code?: string
  readonly reason?: string
}

const approvedNumbers: ReadonlySet<string> = new Set([
  '4111111111111111',
  '4111111145551142',
  '4988438843884305',
  '5555555555554444',
  '5555444433331111',
  '2222400010000008',
  '370000000000002',
])

const redirectNumbers: ReadonlySet<string> = new Set(['4212345678901237', '4917610000000000', '5454545454545454'])

const expiries: ReadonlySet<string> = new Set(['03/2030', '01/2038'])

/** Adyen's test platform refuses for the reason that the holder's name states. */
// biome-ignore format: a table is read in columns.
const holders: ReadonlyMap<string, readonly [code: string, reason: string]> = new Map([
  ['DECLINED',                [ '2',  'Refused' ]],
  ['ACQUIRER_ERROR',          [ '4',  'Acquirer Error' ]],
  ['BLOCK_CARD',              [ '5',  'Blocked Card' ]],
  ['CARD_EXPIRED',            [ '6',  'Expired Card' ]],
  ['INVALID_AMOUNT',          [ '7',  'Invalid Amount' ]],
  ['INVALID_CARD',            [ '8',  'Invalid Card Number' ]],
  ['NOT_ENOUGH_BALANCE',      [ '12', 'Not enough balance' ]],
  ['FRAUD',                   [ '20', 'FRAUD' ]],
  ['CVC_DECLINED',            [ '24', 'CVC Declined' ]],
  ['RESTRICTED_CARD',         [ '25', 'Restricted Card' ]],
  ['AUTHENTICATION_REQUIRED', [ '38', 'Authentication required' ]],
])

interface Card {
  readonly number: string
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly holderName: string
  /** Already authenticated, or without a payer who could be. */
  readonly isExempt: boolean
}

export function verdictOn({ number, expiryMonth, expiryYear, holderName, isExempt }: Card): Verdict {
  const named = holders.get(holderName.trim().toUpperCase().replaceAll(' ', '_'))
  if (named) return refuse(...named)
  const isRedirect = redirectNumbers.has(number)
  if (!isRedirect && !approvedNumbers.has(number)) return refuse('8', 'Invalid Card Number')
  if (!expiries.has(`${expiryMonth.padStart(2, '0')}/${expiryYear}`)) return refuse('6', 'Expired Card')
  return { result: isRedirect && !isExempt ? 'RedirectShopper' : 'Authorised' }
}

const refuse = (code: string, reason: string): Verdict => ({ result: 'Refused', code, reason })
