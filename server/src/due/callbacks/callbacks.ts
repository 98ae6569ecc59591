/**
 * The callback worker: reports the outcomes of payments to merchants.
 *
 * Delivery is at least once and in order per payment, and a crash loses nothing: a callback is a row, written with the outcome that it
 * reports, and stays due until its delivery is acknowledged or its last retry has failed. If a process dies in between, its lease expires
 * and the callback is sent again with the same body and `webhook-id`.
 *
 * Chapter 10 §11.1; for acknowledgement also chapter 20 §16 and chapter 30 §5.1.
 */
import { limits } from '#domain/limits.ts'
import type { Secret } from '#domain/secret.ts'
import { callbackHeaders } from '#domain/signature/callback-headers.ts'
import type {
  Alerts,
  CallbackNext,
  CallbackRows,
  Clock,
  DueCallback,
  Ids,
  Log,
  MerchantSecrets,
} from '../../contracts/ports.ts'
import type { AddressRules } from '../../network/address-guard.ts'
import { type DueWork, runDueWork } from '../due-work.ts'
import { addJitter } from '../jitter.ts'
import { type AddressShares, addressShares } from './address-shares.ts'
import { type CallbackClient, type CallbackReply, callbackClient } from './callback-client.ts'

export interface CallbackWorkerOptions {
  readonly rows: CallbackRows
  readonly readSecrets: (merchantId: string) => Promise<Pick<MerchantSecrets, 'webhookSecrets'>>
  /** The address with its credentials, which are sealed in the database. */
  readonly readAddress: (callback: DueCallback) => Promise<Secret<string>>
  readonly addresses: AddressRules
  readonly clock: Clock
  /** Not moved with the clock of a sandbox: receivers verify by their own. */
  readonly machineClock: Clock
  readonly ids: Pick<Ids, 'random'>
  readonly log: Log
  readonly alerts: Alerts
  /** The release, for the `user-agent`. */
  readonly version: string
  /** Called with the result of every delivery, for the metrics. */
  readonly onResult?: (result: DeliveryResult) => void
  /** Runs around every delivery, for traces. */
  readonly wrapDelivery?: (callback: DueCallback, deliver: () => Promise<DeliveryResult>) => Promise<DeliveryResult>
  readonly concurrency?: number
  readonly pollMs?: number
  readonly timeoutMs?: number
  readonly leaseSeconds?: number
}

export type DeliveryResult = 'delivered' | 'retry' | 'failed' | 'deferred'

const workerName = 'callbacks'
const defaultConcurrency = 64
/**
 * Most receivers answer within this time. A delivery that takes longer costs an open connection and nothing else, so it leaves its slot to
 * the next; a hundred hanging receivers would otherwise hold every slot until their timeouts. See decisions/callbacks#hanging-deliveries.
 */
const slowAfterMs = 250
/** Deliveries outside the slots, for each slot. */
const waitingPerSlot = 8
/** Far above the duration of an exchange and its settlement, so that a lease expires only if its process is dead. */
const defaultLeaseSeconds = 60
const retryJitter = 0.1

export function runCallbacks(options: CallbackWorkerOptions): DueWork {
  const { rows, clock, ids, log, addresses, pollMs, onResult, wrapDelivery } = options
  const { concurrency = defaultConcurrency, leaseSeconds = defaultLeaseSeconds } = options
  const { timeoutMs = limits.callback.timeoutMs } = options
  const maximumSlow = concurrency * waitingPerSlot
  const most = concurrency + maximumSlow
  const client = callbackClient({ addresses, timeoutMs, connections: most })
  // Only if there is a next callback: a look for one after every delivery would claim a few rows at a time and cost as much as the delivery.
  const parts: DeliveryParts = {
    options,
    client,
    shares: addressShares(concurrency, most),
    exchanges: { underWay: 0 },
    onContinued: () => work.wake(),
  }

  const work: DueWork = runDueWork({
    name: workerName,
    claim: (limit) => rows.claim(clock.now(), limit, leaseSeconds),
    run: async (callback) => {
      const send = () => deliver(parts, callback)
      const result = await (wrapDelivery ? wrapDelivery(callback, send) : send())
      onResult?.(result)
    },
    concurrency,
    slowItems: { afterMs: slowAfterMs, maximum: maximumSlow },
    pollMs,
    ids,
    log,
    close: () => client.close(),
  })
  return work
}

interface DeliveryParts {
  readonly options: CallbackWorkerOptions
  readonly client: CallbackClient
  readonly shares: AddressShares
  /** Requests whose answers are outstanding: a result may wait for theirs. */
  readonly exchanges: { underWay: number }
  /** Called if the payment's next callback may be sent now. */
  readonly onContinued: () => void
}

async function deliver(
  { options, client, shares, exchanges, onContinued }: DeliveryParts,
  callback: DueCallback,
): Promise<DeliveryResult> {
  const { rows, clock, machineClock, ids } = options
  if (callback.blockedUntil) return defer(rows, callback, callback.blockedUntil)

  const at = clock.now()
  const headers = await signHeaders(options, callback, machineClock.now())
  const address = await options.readAddress(callback)
  const admission = shares.enter(callback.url, at)
  if (!admission.admitted) return defer(rows, callback, admission.comeBackAt)

  exchanges.underWay += 1
  const { timedOut, ...reply } = await client.post(address.reveal(), headers, callback.body)
  exchanges.underWay -= 1
  admission.leave(reply.durationMs)

  const acknowledged = acknowledges(callback.protocol, reply)
  const next = acknowledged ? ({ state: 'delivered' } as const) : afterFailure(callback, clock.now(), ids)
  const othersUnderWay = exchanges.underWay > 0
  if (await rows.settle(callback, { at, ...reply, acknowledged }, next, othersUnderWay)) onContinued()
  if (acknowledged && callback.timedOut) await rows.markReachable(callback.url)
  if (timedOut) await countTimeout(options, callback, at)
  if (next.state === 'failed') await reportFailure(options, callback)
  return next.state === 'due' ? 'retry' : next.state
}

/** A delivery that was not tried uses up no attempt. */
async function defer(rows: CallbackRows, callback: DueCallback, nextAt: Date): Promise<'deferred'> {
  await rows.settle(callback, null, { state: 'due', nextAt, counts: false })
  return 'deferred'
}

async function signHeaders({ readSecrets, version }: CallbackWorkerOptions, callback: DueCallback, at: Date) {
  const { webhookSecrets } = await readSecrets(callback.merchantId)
  const secrets = webhookSecrets.map((secret) => secret.reveal())
  return {
    'content-type': callback.contentType,
    'user-agent': `Gatehouse/${version}`,
    ...callbackHeaders({ ...callback, secrets, at }),
  }
}

/** Checkout ignores the body (Chapter 30 §5.1); the other protocols require `OK` (Chapter 10 §11.1, chapter 20 §16). */
function acknowledges(protocol: string, { httpStatus, answer }: Pick<CallbackReply, 'httpStatus' | 'answer'>): boolean {
  if (httpStatus === null || httpStatus < 200 || httpStatus > 299) return false
  return protocol === 'CHECKOUT' || /^\s*OK/i.test(answer ?? '')
}

function afterFailure({ attempts, retrySeconds }: DueCallback, now: Date, ids: Pick<Ids, 'random'>): CallbackNext {
  const seconds = retrySeconds[attempts]
  if (seconds === undefined) return { state: 'failed' }
  const waitMs = Math.round(addJitter(seconds * 1000, retryJitter, ids))
  return { state: 'due', nextAt: new Date(now.getTime() + waitMs), counts: true }
}

async function countTimeout(
  { rows, clock, log }: CallbackWorkerOptions,
  { url }: DueCallback,
  begunAt: Date,
): Promise<void> {
  const until = await rows.countTimeout(url, clock.now(), begunAt)
  if (until)
    log.warn(
      { engine: workerName, host: URL.parse(url)?.host, until },
      'A callback address is blocked after too many timeouts.',
    )
}

/** One open alert for each address: the callbacks themselves are listed under Callbacks. */
async function reportFailure({ log, alerts }: CallbackWorkerOptions, callback: DueCallback): Promise<void> {
  const { merchantId, paymentId, id, attempts, url } = callback
  const fields = { engine: workerName, merchantId, paymentId, callbackId: id, attempts: attempts + 1 }
  log.warn(
    fields,
    'A callback failed permanently: no attempt was acknowledged. Resend it with "gatehouse callbacks resend".',
  )
  const text = `Callbacks to ${shownAddress(url)} were given up: no attempt was acknowledged. Send them again under Callbacks.`
  await alerts.raise({ kind: 'callback-failed', merchantId, paymentId: null, text, once: true })
}

/** Without query and credentials, which may be secret. */
function shownAddress(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? 'an address' : `${parsed.origin}${parsed.pathname}`
}
