/** The parts in which the protocols of merchants' servers differ, and what all of them depend on. */
import type { Protocol } from '#domain/merchant.ts'
import type { HashExplanation } from '#domain/signature/hash-explanation.ts'
import type { SignableRequest } from '#domain/signature/request-signature.ts'
import type { VerifyingKeys, WebhookHeaders } from '#domain/signature/signature.ts'
import type { Clock, Idempotency } from '../../contracts/ports.ts'
import type { RefusedError } from '../../contracts/refused-error.ts'
import type { RefusedRequestLog } from '../../contracts/refused-requests.ts'
import type { RequestNotes } from '../../observe/request-line.ts'
import type { Gate } from '../../overload/gate.ts'
import type { Operations } from '../../payments/index.ts'
import type { ValueTree } from './bodies/value-tree.ts'
import type { ReadingParts } from './merchant-reading.ts'
import type { Answer, BaseCaller, RequestKind } from './prepared.ts'
import type { RequestLimiter } from './rate-limit.ts'
import type { ParameterFormat } from './values/reading.ts'
import type { SentValue } from './values/sent.ts'

export interface Kit extends ReadingParts {
  readonly operations: Operations
  readonly idempotency: Idempotency
  readonly limiter: RequestLimiter
  /** Not moved with the clock of a sandbox: merchants sign by their own. */
  readonly machineClock: Clock
  readonly gate: Gate
  readonly refusedRequests: RefusedRequestLog
}

export type SignatureParts = Pick<Kit, 'configuration' | 'idempotency' | 'limiter' | 'clock' | 'machineClock'>

/** What a signature covers, and its headers, which are empty texts in an unsigned request. */
export interface SentSignature extends SignableRequest {
  readonly headers: WebhookHeaders
  readonly address: string
}

export interface MerchantRequest {
  readonly method: 'POST' | 'GET'
  /** For a GET, its query string. */
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly address: string
  readonly path: string
  readonly requestId: string
  readonly idempotencyKey: string | undefined
  readonly signature: SentSignature
}

/** The kind of a request, and the protocol whose mapping applies to it. */
export interface ResolvedAction<Caller, Signed> {
  readonly protocol: Protocol
  readonly action: RequestKind<Caller, Signed>
}

/** The parts in which protocols differ. */
export interface Dialect<Caller extends BaseCaller, Signed> {
  readonly format: ParameterFormat
  /** The parameter with the merchant's key. */
  readonly keyName: string
  /** Throws the refusal of a body that cannot be read. */
  readonly readBody: (request: MerchantRequest) => ValueTree
  readonly callerOf: (caller: BaseCaller, request: MerchantRequest) => Caller
  readonly verifies: (hash: SentValue, signed: Signed, keys: VerifyingKeys) => boolean
  /** For the merchant's developer, if the hash is wrong. */
  readonly explainHash: (hash: SentValue, signed: Signed, keys: VerifyingKeys) => HashExplanation
  /** The bytes that must be equal when an idempotency key is used again. */
  readonly repeatable: (request: MerchantRequest) => Buffer
  readonly errorBody: (error: RefusedError) => string
  readonly notesOf: (answer: Answer) => RequestNotes
}
