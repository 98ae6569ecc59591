/** Identifiers of rows: 32 hexadecimal digits in five groups. They are made elsewhere, because randomness is an argument here. */

/** As part of a regular expression. */
export const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** No identifier sorts before it: a list that is read in order of identifiers begins after it. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** Merchants and people may write it in capital letters. */
export const isUuid = (text: string): boolean => anyCase.test(text)

/**
 * Whether a text may be the number of an order that takes money in or pays it out. It must not begin like an identifier of a payment,
 * transaction or session, because the values of some hashes have no separators: the identifier is of version 7, of earlier services 1, and
 * its last group may be cut, because digits of it could count as an amount. Merchants number orders with UUIDs, so a payment may have such
 * an identifier alone as its number; a payout may not. See decisions/requests#order-numbers.
 */
export const mayNumberOrder = (text: string, pays: 'in' | 'out'): boolean =>
  !identifierBeginning.test(text.toUpperCase()) || (pays === 'in' && isUuid(text))

/** The form in which the database returns it. */
export const isStoredUuid = (text: string): boolean => lowerCase.test(text)

/** In capitals, as in the text of a hash: there a ligature is two letters. */
const identifierBeginning = /^[0-9A-F]{8}-[0-9A-F]{4}-[17][0-9A-F]{3}-[89AB][0-9A-F]{3}-/
const anyCase = new RegExp(`^${uuidPattern}$`, 'i')
const lowerCase = new RegExp(`^${uuidPattern}$`)
