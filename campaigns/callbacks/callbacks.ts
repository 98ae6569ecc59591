/**
 * Callbacks to endpoints that fail as real ones do: errors, timeouts, resets, late and wrong answers, redirects, an outage; of several
 * merchants at several addresses, while webhook secrets are rotated, an address is blocked and unblocked, and workers are killed. In the
 * end each event has reached its merchant, in order per payment, and verifies on the raw body. Chapter 10 §11.1.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { secret } from '#domain/secret.ts'
import { newWebhookSecret, replaceWebhookSecrets } from '#server/setup/merchants.ts'
import { listBlockedUrls, unblock } from '#server/store/callbacks/callback-log.ts'
import { droppedOnError } from '../callback-faults.ts'
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { ProcessKiller } from '../process-killer.ts'
import { audit } from '../stage/audit.ts'
import type { Merchant } from '../stage/merchant.ts'
import type { Random } from '../stage/random.ts'
import { failures, type ReceiverBehaviour } from '../stage/receiver-behaviour.ts'
import { waitUntilSettled } from '../stage/settling.ts'
import { only, openStage, quickRetries, type Stage, until } from '../stage/stage.ts'

export const callbacks: Campaign = {
  name: 'callbacks',
  asserts:
    'receivers fail in every way: each event is delivered at least once, in order per payment, with a valid signature.',
  sizes: { payments: 150, merchants: 3, kills: 4, hanging: 40, outage: 3000 },
  quick: { payments: 8, merchants: 2, kills: 0, hanging: 0, outage: 300 },
  run,
  plantedFault: droppedOnError,
}

const settleWithinMs = 300_000
const kinds = 3

async function run(terms: Terms): Promise<Findings> {
  await using stage = await openStage({
    apis: 1,
    workers: 2,
    merchants: sizeOf(terms, 'merchants'),
    database: terms.database,
    callbackRetrySeconds: quickRetries,
    sharedAuthority: true,
  })
  const { receiver } = stage
  const seen = new Set<ReceiverBehaviour>()
  receiver.behaviour = (_path, number) => chooseBehaviour(terms.random, number, seen)
  const killer = new ProcessKiller(stage, terms.random)
  const load = pay(stage, terms)
  for (let kill = 0; kill < sizeOf(terms, 'kills'); kill += 1) {
    await sleep(terms.random.between(200, 1500))
    killer.kill('worker')
  }
  await load
  await receiver.outage(sizeOf(terms, 'outage'))
  await rotateWebhookSecret(stage)
  await killer.untilRestarted()
  receiver.behaviour = () => 'ok'

  const hanging = sizeOf(terms, 'hanging') > 0 ? await testUnresponsiveAddress(stage, sizeOf(terms, 'hanging')) : null
  const seconds = await waitUntilSettled(stage, settleWithinMs)
  return joinFindings(
    {
      figures: [
        { name: 'merchants', value: stage.merchants.length },
        { name: 'addresses', value: new Set(receiver.arrivals.map(({ path }) => path)).size },
        { name: 'ways to fail', value: seen.size },
        { name: 'deliveries that the receiver lost', value: receiver.arrivals.filter(({ stored }) => !stored).length },
        { name: 'workers killed', value: killer.tally() },
        { name: 'redirects followed', value: countFollowedRedirects(stage), must: 0 },
        ...(hanging?.figures ?? []),
        { name: 'not delivered at the end', value: seconds === null ? 1 : 0, must: 0 },
      ],
      faults: hanging?.faults ?? [],
    },
    auditFigures(await audit(stage)),
  )
}

/** First every way to fail once, then at random: two of five callbacks fail. */
function chooseBehaviour(random: Random, number: number, seen: Set<ReceiverBehaviour>): ReceiverBehaviour {
  const inTurn = failures[number]
  const behaviour = inTurn ?? (random.between(1, 5) <= 2 ? random.pick(failures) : random.pick(['ok', 'ok', 'ok-late']))
  seen.add(behaviour)
  return behaviour
}

const countFollowedRedirects = ({ receiver }: Stage): number =>
  receiver.arrivals.filter(({ path }) => path.startsWith('/notify/elsewhere')).length

/** Sales with a refund, holds that are captured and refunded, declines; every third has its own address. */
async function pay(stage: Stage, terms: Terms): Promise<void> {
  const { url } = only(stage.apis)
  const { receiver, merchants } = stage
  const waiting = Array.from({ length: sizeOf(terms, 'payments') }, (_, index) => index).values()
  const lane = async (): Promise<void> => {
    for (const index of waiting) {
      const merchant = merchants[index % merchants.length] ?? stage.merchant
      const own =
        index % kinds === 1 ? { callback_url: receiver.urlOf(merchant.name, `/own/${index % 7}?o=${index}`) } : {}
      await payAndRefund(merchant, url, `ORDER-${index}`, { ...own, ...(index % 2 === 0 ? {} : { auth: 'Y' }) })
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

async function payAndRefund(
  merchant: Merchant,
  url: string,
  orderId: string,
  fields: Record<string, string>,
): Promise<void> {
  const first = await merchant.sale(url, orderId, fields)
  const transId = first.answered ? first.body.trans_id : undefined
  if (transId === undefined) throw new Error(`No payment for ${orderId}: ${JSON.stringify(first)}`)
  if (fields['auth']) await merchant.followUp(url, 'CAPTURE', transId, { amount: '8.00' })
  await merchant.followUp(url, 'CREDITVOID', transId, { amount: '3.00' })
  await merchant.followUp(url, 'CREDITVOID', transId, { amount: '2.00' })
}

/** The gateway signs with both secrets before the merchant switches, and with the new one alone afterwards. */
async function rotateWebhookSecret(stage: Stage): Promise<void> {
  const { context, receiver, merchant } = stage
  const trust = receiver.trustOf(merchant.name)
  if (!trust) throw new Error('The merchant is not set up.')
  const former = trust.webhookSecrets.map((text) => secret(text))
  const fresh = newWebhookSecret(context.ids)
  const isSignedTwice = (): Promise<boolean> =>
    Promise.resolve(receiver.arrivals.some(({ signatures, path }) => signatures > 1 && path.includes(merchant.name)))

  await replaceWebhookSecrets(context, merchant.id, [...former, fresh])
  await sell(stage, 'rotation-begins', 5)
  await until(isSignedTwice, settleWithinMs)
  // By then both workers have read the change, long before a merchant switches.
  await sleep(noticedWithinMs)
  receiver.setTrust(merchant.name, { ...trust, webhookSecrets: [fresh.reveal()] })
  await sell(stage, 'rotation-overlaps', 5)
  await replaceWebhookSecrets(context, merchant.id, [fresh])
  await sell(stage, 'rotation-ends', 5)
}

const noticedWithinMs = 2_000

async function sell(stage: Stage, name: string, count: number, fields: Record<string, string> = {}): Promise<void> {
  const { url } = only(stage.apis)
  for (let number = 0; number < count; number += 1) await stage.merchant.sale(url, `${name}-${number}`, fields)
}

/**
 * One address never answers. It does not delay callbacks to others: those created meanwhile arrive before the last of its own is given up.
 * It is blocked, and once an operator unblocks it everything arrives.
 */
async function testUnresponsiveAddress(stage: Stage, count: number): Promise<Findings> {
  const { receiver, merchant, pool, context } = stage
  const origin = await receiver.openAnother()
  const address = `${origin}/notify/${merchant.name}/hangs`
  receiver.behaviour = (path) => (path.includes('/hangs') ? 'silence' : 'ok')
  await sell(stage, 'hangs', count, { callback_url: address })
  await until(() => Promise.resolve(receiver.arrivals.some(({ path }) => path.includes('/hangs'))), settleWithinMs)
  await sell(stage, 'passes-by', count)
  const isBlocked = async (): Promise<boolean> => (await listBlockedUrls(pool, context.clock.now())).length > 0
  const blocked = await until(isBlocked, settleWithinMs, 100)
  const late = await findUnacceptedOrders(stage, 'passes-by')

  // Requests in progress would time out after the unblocking and block the address again.
  await until(() => nothingUnderWay(stage, address), settleWithinMs, 100)
  receiver.behaviour = () => 'ok'
  const wasUnblocked = await unblock(pool, address, context.clock.now())
  return {
    figures: [
      { name: 'callbacks to an unresponsive address', value: count },
      { name: 'unresponsive address not blocked', value: blocked === null ? 1 : 0, must: 0 },
      { name: 'other callbacks delayed by it', value: late.length, must: 0 },
      { name: 'failed unblocking', value: wasUnblocked ? 0 : 1, must: 0 },
    ],
    faults: late.map((order) => `The callback of ${order} was delayed by an unresponsive address`),
  }
}

async function nothingUnderWay({ pool }: Stage, url: string): Promise<boolean> {
  const { rows } = await pool.query(
    'select from callbacks where url = $1 and lease_until > clock_timestamp() limit 1',
    [url],
  )
  return rows.length === 0
}

async function findUnacceptedOrders({ pool, receiver }: Stage, name: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string; order_id: string }>(
    `select id, order_id from payments where order_id like $1 || '-%'`,
    [name],
  )
  const acceptedPaymentIds = new Set(receiver.arrivals.filter(({ stored }) => stored).map(({ paymentId }) => paymentId))
  return rows.filter(({ id }) => !acceptedPaymentIds.has(id)).map(({ order_id }) => order_id)
}
