/**
 * The gate before every merchant request: what cannot be answered soon is refused before anything is done for it, with 503 and
 * `Retry-After`. Decision 0066 has the reasons.
 *
 * There are two bounds. `open` counts requests from their first byte to the end of their answer, so that memory is bounded whatever is
 * sent. `pass` lets a request of a known merchant in while there is room, lets it wait for its merchant's turn otherwise, and refuses it at
 * once when the wait would be longer than `waitMs`, or when it has been.
 *
 * A refused request has had no effect: nothing was read, written or sent for it, and its idempotency key is free.
 */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { RefusedError } from '../contracts/refused-error.ts'
import { Capacity } from './capacity.ts'
import { FairQueue, type Waiting } from './fair-queue.ts'

export type RefusalReason = 'queue-full' | 'waited-too-long' | 'too-many-open'

export interface Ticket {
  /** Whose turn it uses: a merchant's key, so that what is tried out does not wait in front of what is paid. */
  readonly merchant: string
  /** It continues something begun, such as a capture or a payer at the page. */
  readonly continues: boolean
}

export interface Gate {
  /** Counts a request that has begun to arrive; answers what to call when it is over. */
  open(): () => void
  /** Does the work once there is room for it, or refuses it. */
  pass<T>(ticket: Ticket, work: () => Promise<T>): Promise<T>
  /** Does the work at once: it finishes what was begun, such as the return of a payer from his bank. It takes room all the same. */
  finish<T>(work: () => Promise<T>): Promise<T>
  /** Work that others do for us, such as an acquirer: it takes no room. */
  away<T>(work: () => Promise<T>): Promise<T>
  /** Whether requests wait. */
  readonly isBusy: boolean
  readonly standing: Standing
}

interface Standing {
  readonly open: number
  readonly inside: number
  readonly limit: number
  readonly waiting: number
  readonly perSecond: number
}

export interface GateOptions {
  /** Most requests that are worked on at the same time. */
  readonly concurrent: number
  /** Longest wait for a turn. */
  readonly waitMs: number
  readonly onAdmitted: (waitedMs: number) => void
  readonly onRefused: (reason: RefusalReason) => void
  /** Milliseconds of a clock that only moves forward. */
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
    // Spread over a few seconds, so that those refused together do not come back together.
    const retryAfterSeconds = 1 + (refusals % limits.overload.retryAfterSeconds)
    return new RefusedError(errors.temporarilyUnavailable, { retryAfterSeconds })
  }

  /** As many as the instance finishes within the longest wait, shared by the merchants that wait. */
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
    capacity.look(queue.size > 0, now())
    letIn()
    if (queue.size > 0 || sweeping === null) return
    clearInterval(sweeping)
    sweeping = null
  }

  const turn = (ticket: Ticket): Promise<void> => {
    if (queue.sizeOf(ticket.merchant) >= placesOf(ticket.merchant)) throw refusal('queue-full')
    // The sweep ends by itself; it must not keep the process from ending.
    sweeping ??= setInterval(sweep, sweepMs).unref()
    return new Promise((resolve, reject) => {
      const since = now()
      const enter = (): void => {
        onAdmitted(now() - since)
        resolve()
      }
      queue.add({ ...ticket, since, enter, refuse: () => reject(refusal('waited-too-long')) })
      capacity.look(true, since)
    })
  }

  const inside = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } finally {
      capacity.change(-1, now())
      capacity.end()
      capacity.look(queue.size > 0, now())
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
      } else await turn(ticket)
      return inside(work)
    },
    finish: (work) => {
      capacity.change(1, now())
      return inside(work)
    },
    away: async (work) => {
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
    get standing() {
      const { inside, limit, perSecond } = capacity
      return { open, inside, limit, waiting: queue.size, perSecond }
    },
  }
}
