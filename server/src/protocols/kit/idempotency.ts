/**
 * `Idempotency-Key`: the same request again gets the first answer again, byte for byte. Chapter 10 §1.4.
 *
 * Refusals of the business rules are stored like answers; errors that a retry may solve (429, 5xx) are not. The key of a dead process
 * is free again once its lease has run out, and the intent that the process wrote shows what became of the request. A long request,
 * such as a cascade over slow acquirers, renews its lease as long as it runs.
 */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors, violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Mode } from '#domain/merchant.ts'
import type { Idempotency, StoredAnswer } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { Reply } from './reply.ts'

export interface IdempotentRequest {
  readonly merchantId: string
  /** Separates the keys, so that a test request cannot occupy the key of a live one. */
  readonly mode: Mode
  readonly key: string
  readonly body: Buffer
  /** Refusals are stored in the protocol's form. */
  readonly errorBody: (error: RefusedError) => string
}

interface Work {
  readonly run: (useId: string) => Promise<Reply>
  readonly recall: (useId: string) => Promise<Reply | null>
}

export async function runOnlyOnce(
  store: Idempotency,
  request: IdempotentRequest,
  run: (useId: string) => Promise<Reply>,
  recall: (useId: string) => Promise<Reply | null>,
): Promise<Reply> {
  const { merchantId, body } = request
  const { keyLength } = limits.idempotency
  if (request.key.length === 0 || request.key.length > keyLength)
    throw invalid({ param: 'Idempotency-Key', text: violations.lengthBetween(1, keyLength) })
  const key = storedKey(request)
  const claim = await store.take(merchantId, key, hash('sha256', body, 'buffer'))
  switch (claim.use) {
    case 'answered':
      return replyOf(claim)
    case 'other-body':
      throw new RefusedError(errors.idempotencyKeyReused)
    case 'running':
      throw new RefusedError(errors.duplicateRequest)
    case 'first':
      return runAndStore(store, request, claim.useId, { run, recall })
    case 'abandoned':
      return runAndStore(store, request, claim.useId, {
        run: async (useId) => (await recall(useId)) ?? run(useId),
        recall,
      })
  }
}

/** If another process stored an answer meanwhile, because this one paused for longer than its lease, that answer is returned. */
async function runAndStore(
  store: Idempotency,
  request: IdempotentRequest,
  useId: string,
  { run, recall }: Work,
): Promise<Reply> {
  const { merchantId, errorBody } = request
  const key = storedKey(request)
  const keep = (answer: StoredAnswer) => store.keep(merchantId, key, useId, answer)
  try {
    const reply = await whileRenewing(
      store.leaseMs,
      () => store.renew(merchantId, key, useId),
      () => run(useId),
    )
    const stored = await keep(reply)
    return stored.body === reply.body ? reply : replyOf(stored)
  } catch (error) {
    if (!(error instanceof RefusedError) || error.refusal.http === 429 || error.refusal.http >= 500) {
      await store.release(merchantId, key, useId)
      throw error
    }
    // The refusal may be due to another process that took over this request after the lease; then its result is the answer.
    const recalledReply = await recall(useId)
    if (recalledReply) return replyOf(await keep(recalledReply))
    const body = errorBody(error)
    const stored = await keep({ http: error.refusal.http, body })
    if (stored.body !== body) return replyOf(stored)
    throw error
  }
}

/** The prefix of test keys is a character that no header can contain, so that a live key is never mistaken for a test key. */
const storedKey = ({ mode, key }: IdempotentRequest): string => (mode === 'test' ? `\u0001${key}` : key)

const replyOf = ({ http, body }: StoredAnswer): Reply => ({ http, body })

/** Most requests end before the first renewal. */
async function whileRenewing<T>(leaseMs: number, renew: () => Promise<void>, run: () => Promise<T>): Promise<T> {
  const over = new AbortController()
  const renewing = renewUntil(over.signal, leaseMs, renew)
  try {
    return await run()
  } finally {
    over.abort()
    await renewing
  }
}

/** A failed renewal is repeated soon, while the lease is still valid. */
async function renewUntil(over: AbortSignal, leaseMs: number, renew: () => Promise<void>): Promise<void> {
  let wait = (leaseMs * 2) / 3
  while (await waitUnlessOver(wait, over)) {
    wait = await renew().then(
      () => (leaseMs * 2) / 3,
      () => leaseMs / 12,
    )
  }
}

/** False if the request ended first. */
const waitUnlessOver = (ms: number, over: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal: over, ref: false }).catch(() => false)
