/** Identifiers of rows: 32 hexadecimal digits in five groups. They are made elsewhere, because randomness is an argument here. */

/** As part of a regular expression. */
export const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** No identifier sorts before it: a list that is read in order of identifiers begins after it. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** Merchants and people may write it in capital letters. */
export const isUuid = (text: string): boolean => anyCase.test(text)

/** The form in which the database returns it. */
export const isStoredUuid = (text: string): boolean => lowerCase.test(text)

const anyCase = new RegExp(`^${uuidPattern}$`, 'i')
const lowerCase = new RegExp(`^${uuidPattern}$`)
