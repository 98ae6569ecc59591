/**
 * An acquirer sends a million notifications as fast as they are answered, every tenth of them to two processes at the same moment, while its merchant
 * goes on paying. Each is stored once and worked off, and no process holds what it has answered. Chapter 60 §2.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { merchantReference } from '#server/connectors/merchant-reference.ts'
import { auditFigures, type Campaign, type Findings, inSeconds, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { besideLanes } from '../lanes.ts'
import { audit } from '../stage/audit.ts'
import { waitUntilSettled } from '../stage/settling.ts'
import { openStage, type Stage, until } from '../stage/stage.ts'
import { NotificationLoad } from './notification-load.ts'
import { growthFault, growthFigures, ProcessWatch } from './process-watch.ts'

export const notifications: Campaign = {
  name: 'notifications',
  asserts: 'a flood of notifications is stored once each, worked off and held in no process, and payments go on.',
  // `slackMegabytes` is what a process may keep beyond the first half: caches that fill, code that is compiled.
  sizes: { notifications: 1_000_000, connections: 32, samples: 10, slackMegabytes: 8 },
  quick: { notifications: 500, samples: 2, slackMegabytes: 24 },
  longestMinutes: 120,
  run,
  plantedFault: {
    what: 'Of notifications that arrive together only the first is stored, and all are answered.',
    seenIn: 'answered and not stored',
    patches: [
      {
        file: 'server/src/store/acquirers/notification-store.ts',
        find: '[...first.values()].map(({ notification }) => notification)',
        replace: '[...first.values()].slice(0, 1).map(({ notification }) => notification)',
      },
    ],
  },
}

const payments = 20
const everyPaymentMs = 500
const workedOffWithinMs = 3_600_000
const settleWithinMs = 120_000

async function run(terms: Terms): Promise<Findings> {
  const watch = new ProcessWatch()
  await using stage = await openStage({
    apis: 2,
    workers: 1,
    database: terms.database,
    sharedAuthority: true,
    standIns: ['adyen'],
    measuredBy: watch.flags,
  })
  const load = await openLoad(stage)
  const programs = [...stage.apis, ...stage.workers]
  const samples = sizeOf(terms, 'samples')
  const begun = performance.now()
  const paid = await payWhile(stage, async () => {
    for (let sample = 0; sample < samples; sample += 1) {
      await load.send(Math.ceil(sizeOf(terms, 'notifications') / samples), sizeOf(terms, 'connections'))
      await watch.sample(programs)
    }
  })
  const seconds = (performance.now() - begun) / 1000
  const enteredSeconds = await until(async () => (await countEvents(stage)).due === 0, workedOffWithinMs, 200)
  const quiet = await waitUntilSettled(stage, settleWithinMs)

  // Nothing is allowed for each notification.
  const growths = await watch.growths(programs, sizeOf(terms, 'slackMegabytes') * 1e6)
  const leaking = growths.filter(({ leaksMemory }) => leaksMemory)
  const { entered, due, failed } = await countEvents(stage)
  return joinFindings(
    {
      figures: [
        { name: 'notifications', value: load.sent },
        { name: 'copies to another process', value: load.copies },
        { name: 'taken per second', value: Math.round((load.sent + load.copies) / seconds) },
        { name: 'all entered after the last answer', value: inSeconds(enteredSeconds ?? workedOffWithinMs / 1000) },
        ...growthFigures(growths),
        { name: 'not answered with 200', value: load.refused, must: 0 },
        { name: 'answered and not stored', value: load.sent - (entered + due + failed), must: 0 },
        { name: 'not worked off', value: due + failed, must: 0 },
        { name: 'processes with growing memory', value: leaking.length, must: 0 },
        { name: 'payments meanwhile', value: paid.settled },
        { name: 'payments meanwhile that failed', value: paid.failed, must: 0 },
        { name: 'not settled at the end', value: quiet === null ? 1 : 0, must: 0 },
      ],
      faults: leaking.map(growthFault),
    },
    auditFigures(await audit(stage)),
  )
}

/** The reports concern payments that exist, so that each costs the worker what a real one does. */
async function openLoad({ apis, merchant, pool, standIns }: Stage): Promise<NotificationLoad> {
  const urls = apis.map(({ url }) => url)
  for (let number = 0; number < payments; number += 1) await merchant.sale(urls[0] ?? '', `reported-${number}`)
  const { rows } = await pool.query<{ id: string; transaction: string }>(
    `select id, first_transaction as transaction from payments where status = 'SETTLED'`,
  )
  const references = rows.map(({ id, transaction }) => merchantReference({ paymentId: id, transactionId: transaction }))
  if (references.length < payments) throw new Error('The payments that notifications report are not settled.')
  const { merchant_account, hmac_key } = standIns.running[0]?.credentials.live ?? {}
  return new NotificationLoad(urls, references, {
    merchantAccount: String(merchant_account),
    hmacKey: String(hmac_key),
  })
}

interface Paid {
  readonly settled: number
  readonly failed: number
}

async function payWhile({ apis, merchant }: Stage, work: () => Promise<void>): Promise<Paid> {
  const url = apis[0]?.url ?? ''
  const paid = { settled: 0, failed: 0 }
  const pay = async (): Promise<void> => {
    const reply = await merchant.sale(url, `meanwhile-${paid.settled + paid.failed}`)
    paid[reply.answered && reply.body.status === 'SETTLED' ? 'settled' : 'failed'] += 1
    await sleep(everyPaymentMs)
  }
  await besideLanes(1, pay, work)
  return paid
}

interface EventCounts {
  readonly entered: number
  readonly due: number
  readonly failed: number
}

/** Of the flood alone: the stand-in reports the payments itself, too. */
async function countEvents({ pool }: Stage): Promise<EventCounts> {
  const { rows } = await pool.query<EventCounts>(
    `select count(*) filter (where state = 'entered')::int as entered, count(*) filter (where state = 'due')::int as due,
       count(*) filter (where state = 'failed')::int as failed
     from acquirer_events where reference like 'FLOOD%'`,
  )
  return rows[0] ?? { entered: 0, due: 0, failed: 0 }
}
