/**
 * `Idempotency-Key`: the same request again gets the first answer again, byte for byte. Chapter 10 §1.4.
 *
 * A refusal of the business rules is an answer too and is kept; what a retry may heal (429, 5xx) is not. A key whose process died is
 * free again once its lease has run out, and the intent that the dead process wrote tells what became of the request.
 */
import { createHash } from 'node:crypto'
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Idempotency } from '../../ports.ts'
import { invalid, RefusedError } from '../../refused-error.ts'
import type { Reply } from './reply.ts'

export interface IdempotentRequest {
  readonly merchantId: string
  readonly key: string
  readonly body: Buffer
  /** A refusal is kept as the protocol writes it. */
  readonly errorBody: (error: RefusedError) => string
}

export async function onceOnly(
  store: Idempotency,
  request: IdempotentRequest,
  run: (useId: string) => Promise<Reply>,
  recall: (useId: string) => Promise<Reply | null>,
): Promise<Reply> {
  const { merchantId, key, body } = request
  if (key.length === 0 || key.length > limits.idempotency.keyLength) throw invalid()
  const taken = await store.take(merchantId, key, createHash('sha256').update(body).digest())
  switch (taken.use) {
    case 'answered':
      return { http: taken.http, body: taken.body, dropAnswer: false }
    case 'other-body':
      throw new RefusedError(errors.idempotencyKeyReused)
    case 'running':
      throw new RefusedError(errors.duplicateRequest)
    case 'first':
      return kept(store, request, () => run(taken.useId))
    case 'abandoned':
      return kept(store, request, async () => (await recall(taken.useId)) ?? run(taken.useId))
  }
}

async function kept(
  store: Idempotency,
  { merchantId, key, errorBody }: IdempotentRequest,
  run: () => Promise<Reply>,
): Promise<Reply> {
  try {
    const reply = await run()
    await store.keep(merchantId, key, reply.http, reply.body)
    return reply
  } catch (error) {
    if (!(error instanceof RefusedError) || error.refusal.http === 429 || error.refusal.http >= 500) {
      await store.release(merchantId, key)
      throw error
    }
    await store.keep(merchantId, key, error.refusal.http, errorBody(error))
    throw error
  }
}
