/** Refused requests of merchants' servers, stored for the merchant's developer. See decisions/requests#refused-requests. */
import type { Violation } from '#domain/errors.ts'
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { CheckStep } from '#domain/request-checks.ts'
import type { HashExplanation } from '#domain/signature/hash-explanation.ts'

export interface RefusedRequest {
  readonly merchantId: string
  readonly mode: Mode
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string
  /** Null if the action is unknown. */
  readonly protocol: Protocol | null
  readonly action: string | null
  /** The order as the request named it; null if it named none. */
  readonly orderId: string | null
  readonly paymentId: string | null
  /** The check that refused the request. */
  readonly step: CheckStep
  readonly at: Date
  readonly refusal: RequestRefusal
}

export interface RequestRefusal {
  readonly http: number
  readonly code: number
  readonly message: string
  readonly violations: readonly Violation[]
  /** Only for a wrong hash. */
  readonly hash: HashExplanation | null
}

export interface RefusedRequestLog {
  /** Returns at once: the refusal is written later, or dropped if too many are waiting. */
  add(refused: RefusedRequest): void
}
