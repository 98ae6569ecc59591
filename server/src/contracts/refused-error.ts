import { errors, type Refusal, type Violation } from '#domain/errors.ts'

/** An expected refusal. The protocol that received the request renders it for the merchant; no other code catches it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly refusal: Refusal
  /** Rows of `errors[]`; empty except for validation errors. */
  readonly violations: readonly Violation[]
  readonly retryAfterSeconds: number | null

  constructor(refusal: Refusal, more: { violations?: readonly Violation[]; retryAfterSeconds?: number } = {}) {
    super(refusal.message)
    this.refusal = refusal
    this.violations = more.violations ?? []
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

export const invalid = (...violations: readonly Violation[]): RefusedError =>
  new RefusedError(errors.requestInvalid, { violations })
