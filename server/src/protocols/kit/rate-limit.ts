/**
 * Rate limits per merchant key, for requests and for failed guesses (Chapter 10 §1.1, §1.3; chapter 20 §1.1).
 *
 * Two kinds of token bucket. Every request takes a token from the bucket of its merchant key. A failed hash or an unknown entity takes one
 * from a ten times smaller bucket of that key and the caller's address; once that is empty, requests from the address are refused, so that
 * an attacker who guesses cannot lock out the merchant.
 *
 * Buckets are in this process's memory: n processes allow up to n times the rate, which still protects the service. A bucket that is full
 * again carries no information and is dropped; above the limit the longest unused one is dropped.
 */
import { limits } from '#domain/limits.ts'
import type { Clock } from '#server/contracts/ports.ts'

export interface Rate {
  /** Above 0. */
  readonly perSecond: number
  /** At least 1. */
  readonly burst: number
}

export type Permission =
  | { readonly allowed: true }
  /** For the header `Retry-After`: whole seconds, at least 1. */
  | { readonly allowed: false; readonly retryAfterSeconds: number }

export interface RequestLimiter {
  /** Step 6 of the order of checks. `rate` is the merchant's own rate, if it has one. */
  request(merchantKey: string, callerAddress: string, rate?: Rate): Permission
  /**
   * Called when step 8 or 9 fails, before the answer is sent. Requests that were admitted together may fail together; those above the
   * rate must not learn whether their guess was right.
   */
  failure(merchantKey: string, callerAddress: string, rate?: Rate): Permission
}

const defaultRate: Rate = { perSecond: limits.rate.perSecond, burst: limits.rate.burst }

export function requestLimiter(clock: Clock, maxBuckets = MAX_BUCKETS): RequestLimiter {
  const requests = new Buckets(clock, maxBuckets)
  const failures = new Buckets(clock, maxBuckets)

  return {
    request: (merchantKey, callerAddress, rate = defaultRate) => {
      const guessing = failures.look(failureKey(merchantKey, callerAddress), failureRate(rate))
      return guessing.allowed ? requests.take(merchantKey, rate) : guessing
    },
    failure: (merchantKey, callerAddress, rate = defaultRate) =>
      failures.take(failureKey(merchantKey, callerAddress), failureRate(rate)),
  }
}

/** Our own limit for the number of buckets, each of which takes some 200 bytes with its key. */
const MAX_BUCKETS = 50_000

// An address contains no space, so two pairs never share a key.
const failureKey = (merchantKey: string, callerAddress: string): string => `${callerAddress} ${merchantKey}`

const failureRate = ({ perSecond, burst }: Rate): Rate => ({
  perSecond: perSecond / limits.rate.failedDivisor,
  burst: Math.max(1, burst / limits.rate.failedDivisor),
})

/** Instants are milliseconds of the epoch. */
interface Bucket {
  readonly tokens: number
  /** The time of `tokens`. */
  readonly at: number
  /** When the bucket is full again. */
  readonly fullAt: number
}

export class Buckets {
  readonly #clock: Clock
  readonly #max: number
  // A Map iterates in the order of insertion; a bucket is put back whenever it is used, so the idle ones come first.
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: Clock, max: number) {
    this.#clock = clock
    this.#max = max
  }

  get size(): number {
    return this.#buckets.size
  }

  take(key: string, rate: Rate): Permission {
    const now = this.#clock.now().getTime()
    const tokens = this.#tokens(key, rate, now)
    if (tokens < 1) return refusalFor(tokens, rate)

    const left = tokens - 1
    const fullAt = now + ((rate.burst - left) / rate.perSecond) * 1000
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: left, at: now, fullAt })
    this.#dropIdle(now)
    return allowance
  }

  /** What `take` would answer, without taking. */
  look(key: string, rate: Rate): Permission {
    const tokens = this.#tokens(key, rate, this.#clock.now().getTime())
    return tokens < 1 ? refusalFor(tokens, rate) : allowance
  }

  #tokens(key: string, { perSecond, burst }: Rate, now: number): number {
    const bucket = this.#buckets.get(key)
    // After a clock was set back the bucket starts anew; waiting for the old time to return could lock a merchant out for hours.
    if (!bucket || now < bucket.at) return burst
    return Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
  }

  /** At most two per request, which bounds the work and still drops buckets faster than new ones are created. */
  #dropIdle(now: number): void {
    let looks = 2
    for (const [key, bucket] of this.#buckets) {
      if (this.#buckets.size <= this.#max && (looks <= 0 || bucket.fullAt > now)) return
      this.#buckets.delete(key)
      looks -= 1
    }
  }
}

const allowance: Permission = { allowed: true }

const refusalFor = (tokens: number, { perSecond }: Rate): Permission => ({
  allowed: false,
  retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
})
