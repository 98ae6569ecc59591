/**
 * The gate before every merchant request: a request that cannot be answered soon is refused before any work is done for it, with 503 and
 * `Retry-After`. decisions/overload#admission-control has the reasons.
 *
 * There are two bounds. `open` counts requests from their first byte to the end of their answer, so that memory is bounded for any traffic.
 * `pass` admits a request of a known merchant while there is room, otherwise lets it wait for its merchant's turn, and refuses it at once
 * if the wait would exceed `waitMs`, or later when it has.
 *
 * A refused request had no effect: nothing was read, written or sent for it, and its idempotency key is free.
 */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { RefusedError } from '../contracts/refused-error.ts'
import { Capacity } from './capacity.ts'
import { FairQueue, type Waiting } from './fair-queue.ts'

export type RefusalReason = 'queue-full' | 'waited-too-long' | 'too-many-open'

export interface Ticket {
  /** The merchant's key, so that test requests do not wait in front of live ones. */
  readonly merchant: string
  /** It continues something begun, such as a capture or a payer at the page. */
  readonly continues: boolean
}

export interface Gate {
  /** Counts a request that has begun to arrive. Returns the function to call when it ends. */
  open(): () => void
  /** Runs the work once there is room for it, or refuses it. */
  pass<T>(ticket: Ticket, work: () => Promise<T>): Promise<T>
  /** Runs the work at once, because it finishes something begun, such as a payer's return from the bank. It still takes a slot. */
  finish<T>(work: () => Promise<T>): Promise<T>
  /** Waits for other parties, such as an acquirer, without taking a slot. */
  withoutSlot<T>(work: () => Promise<T>): Promise<T>
  /** Whether requests wait. */
  readonly isBusy: boolean
  readonly state: GateState
}

interface GateState {
  readonly open: number
  readonly inside: number
  readonly limit: number
  readonly waiting: number
  readonly perSecond: number
}

export interface GateOptions {
  /** The maximum number of requests processed at the same time. */
  readonly concurrent: number
  /** The longest wait for a turn. */
  readonly waitMs: number
  readonly onAdmitted: (waitedMs: number) => void
  readonly onRefused: (reason: RefusalReason) => void
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

interface Waiter extends Waiting {
  enter(): void
  refuse(): void
}

const { openRequests, leastWaiting, sweepMs } = limits.overload

export function createGate({
  concurrent,
  waitMs,
  onAdmitted,
  onRefused,
  now = () => performance.now(),
}: GateOptions): Gate {
  const capacity = new Capacity(concurrent, now())
  const queue = new FairQueue<Waiter>()
  let open = 0
  let refusals = 0
  let sweeping: NodeJS.Timeout | null = null

  const refusal = (reason: RefusalReason): RefusedError => {
    onRefused(reason)
    refusals += 1
    // Spread over a few seconds, so that requests refused together do not return together.
    const retryAfterSeconds = 1 + (refusals % limits.overload.retryAfterSeconds)
    return new RefusedError(errors.overloaded, { retryAfterSeconds })
  }

  /** As many as the instance finishes within the longest wait, shared by the waiting merchants. */
  const placesOf = (merchant: string): number => {
    const merchants = queue.merchants + (queue.has(merchant) ? 0 : 1)
    return Math.max(leastWaiting, (capacity.perSecond * waitMs) / 1000 / merchants)
  }

  const letIn = (): void => {
    while (capacity.hasRoom) {
      const waiter = queue.next()
      if (!waiter) return
      capacity.change(1, now())
      waiter.enter()
    }
  }

  const sweep = (): void => {
    for (const waiter of queue.takeOlder(now() - waitMs)) waiter.refuse()
    capacity.closeWindow(queue.size > 0, now())
    letIn()
    if (queue.size > 0 || sweeping === null) return
    clearInterval(sweeping)
    sweeping = null
  }

  const waitInQueue = (ticket: Ticket): Promise<void> => {
    if (queue.sizeOf(ticket.merchant) >= placesOf(ticket.merchant)) throw refusal('queue-full')
    // The sweep ends by itself; it must not keep the process alive.
    sweeping ??= setInterval(sweep, sweepMs).unref()
    return new Promise((resolve, reject) => {
      const since = now()
      const enter = (): void => {
        onAdmitted(now() - since)
        resolve()
      }
      queue.add({ ...ticket, since, enter, refuse: () => reject(refusal('waited-too-long')) })
      capacity.closeWindow(true, since)
    })
  }

  const runInside = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } finally {
      capacity.change(-1, now())
      capacity.end()
      capacity.closeWindow(queue.size > 0, now())
      letIn()
    }
  }

  return {
    open: () => {
      if (open >= openRequests) throw refusal('too-many-open')
      open += 1
      let isOpen = true
      return () => {
        if (isOpen) open -= 1
        isOpen = false
      }
    },
    pass: async (ticket, work) => {
      if (queue.size === 0 && capacity.hasRoom) {
        capacity.change(1, now())
        onAdmitted(0)
      } else await waitInQueue(ticket)
      return runInside(work)
    },
    finish: (work) => {
      capacity.change(1, now())
      return runInside(work)
    },
    withoutSlot: async (work) => {
      capacity.change(-1, now())
      letIn()
      try {
        return await work()
      } finally {
        capacity.change(1, now())
      }
    },
    get isBusy() {
      return queue.size > 0
    },
    get state() {
      const { inside, limit, perSecond } = capacity
      return { open, inside, limit, waiting: queue.size, perSecond }
    },
  }
}
