/** Errors as Adyen's API answers them. */
import type { Reply } from '../../kit/reply.ts'

const error = (status: number, errorCode: string, message: string, errorType: string): Reply => ({
  status,
  body: { status, errorCode, message, errorType },
})

export const unknownKey = error(401, '000', 'HTTP Status Response - Unauthorized', 'security')
export const wrongAccount = error(403, '901', 'Invalid Merchant Account', 'security')
export const invalid = (errorCode: string, message: string): Reply => error(422, errorCode, message, 'validation')
