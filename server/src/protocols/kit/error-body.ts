import type { RefusedError } from '../../contracts/refused-error.ts'

/** The error body of both S2S protocols. No action, identifier or hash ever appears in it. Chapter 10 §10.1. */
export function errorBody({ refusal, violations }: Pick<RefusedError, 'refusal' | 'violations'>): string {
  return JSON.stringify({
    result: 'ERROR',
    error_code: refusal.code,
    error_message: refusal.message,
    errors: violations.map(({ param, text }) => ({
      error_code: 100000,
      error_message: param === null ? text : `${param}: ${text}`,
    })),
  })
}
