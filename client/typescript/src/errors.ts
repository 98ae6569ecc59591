/** Errors as types. A decline is no error: it is an answer with `result: 'DECLINED'`. */
export interface Violation {
  readonly code: number
  readonly message: string
}

/** The service refused the request, and nothing was processed. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly http: number
  readonly code: number
  /** One entry per wrong parameter, such as `payer_email: This value is not valid.` */
  readonly violations: readonly Violation[]
  /** For questions to the service's support. */
  readonly requestId: string | undefined

  constructor(refusal: Pick<RefusedError, 'http' | 'code' | 'message' | 'violations' | 'requestId'>) {
    const rows = refusal.violations.map(({ message }) => message)
    super([refusal.message, ...rows].join(' '))
    this.http = refusal.http
    this.code = refusal.code
    this.violations = refusal.violations
    this.requestId = refusal.requestId
  }
}

/** The service was busy at every attempt. Nothing was processed. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/**
 * No attempt got an answer, so the request may have been processed. Repeat it with the same `idempotencyKey`, ask for the status, or wait
 * for the callback. Do not send it again with another key: the payer could be charged twice.
 */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'
  readonly idempotencyKey: string | undefined

  constructor(message: string, idempotencyKey: string | undefined, cause: unknown) {
    super(message, { cause })
    this.idempotencyKey = idempotencyKey
  }
}

/** A callback that must not be trusted. Answer it with 400. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
}
