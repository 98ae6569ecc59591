/** Stripe's error objects: https://docs.stripe.com/api/errors. */
import type { Reply } from '../../kit/reply.ts'
import type { PaymentError } from './records.ts'
import { errorCodeOf } from './test-cards.ts'

export const invalid = (status: number, code: string, message: string, more: object = {}): Reply => ({
  status,
  body: { error: { type: 'invalid_request_error', code, message, ...more } },
})

export const unauthorizedReply: Reply = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } },
}

export const keyReused: Reply = {
  status: 400,
  body: {
    error: {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    },
  },
}

export const missing = (what: string): Reply => invalid(404, 'resource_missing', `No such ${what}.`)

export const cardError = (declineCode: string): PaymentError => {
  const code = errorCodeOf(declineCode)
  return {
    type: 'card_error',
    code,
    ...(code !== 'incorrect_number' && { decline_code: declineCode }),
    message: 'Your card was declined.',
  }
}

export const authenticationFailure = (object: string): PaymentError => ({
  type: 'invalid_request_error',
  code: `${object}_authentication_failure`,
  message: 'The provided PaymentMethod has failed authentication.',
})
