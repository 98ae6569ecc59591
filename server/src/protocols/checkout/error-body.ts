import { errors } from '#domain/errors.ts'
import type { RefusedError } from '../../contracts/refused-error.ts'

/** The error body of Checkout. There is no `result` in it, and a validation error has the code 0. Chapter 30 §1.4. */
export function checkoutErrorBody(
  { refusal, violations }: Pick<RefusedError, 'refusal' | 'violations'>,
  requestId?: string,
): string {
  const { http, code, message } = refusal === errors.requestInvalid ? errors.checkoutInvalid : refusal
  return JSON.stringify({
    http_code: http,
    error_code: code,
    error_message: message,
    errors: violations.map(({ param, text }) => ({
      error_code: 100000,
      error_message: param === null ? text : `${param}: ${text}`,
    })),
    // Only faults of the service need an id for support; other errors explain themselves.
    ...(http >= 500 && requestId !== undefined ? { request_id: requestId } : {}),
  })
}
