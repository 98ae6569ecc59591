/**
 * Concurrent commands on one payment through two gateway processes, whose sum exceeds the available money. Never is more refunded than was
 * captured, nor more captured than was held; and the acquirer is never even asked to.
 */
import { connectorById } from '#server/connectors/registry.ts'
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { apmFollowUp, apmSale } from '../stage/apm-requests.ts'
import { audit } from '../stage/audit.ts'
import type { Fields } from '../stage/merchant.ts'
import { isQuiet, openStage, type Stage, until } from '../stage/stage.ts'
import { raceSessions } from './session-races.ts'
import { raceTokens } from './token-races.ts'

export const races: Campaign = {
  name: 'races',
  asserts:
    'parallel CREDITVOID, CAPTURE and VOID never move more than is available; a wallet token or session never pays twice.',
  sizes: { rounds: 500, crowds: 100, mixes: 100, tokens: 50, sessions: 100, lanes: 4 },
  quick: { rounds: 20, crowds: 6, mixes: 10, tokens: 3, sessions: 6, lanes: 4 },
  run,
  plantedFault: {
    what: 'a session is changed while it is being paid',
    seenIn: 'sessions paid twice or wrongly',
    sizes: { rounds: 2, crowds: 0, mixes: 0, tokens: 0, sessions: 40 },
    patches: [
      {
        file: 'server/src/store/sessions/sessions.ts',
        find: 'where merchant_id = $1 and id = $2 and version = $3 and attempts = 0',
        replace: 'where merchant_id = $1 and id = $2 and version >= $3',
      },
    ],
  },
  overStandIns: {
    sizes: { rounds: 120, crowds: 30, mixes: 60, tokens: 0, sessions: 0, lanes: 4 },
    quick: { rounds: 6, crowds: 2, mixes: 6, tokens: 0, sessions: 0, lanes: 4 },
    plantedFault: {
      what: 'a refund may exceed what is left of the payment',
      seenIn: 'refused by the acquirer',
      sizes: { rounds: 12, crowds: 18, mixes: 0 },
      patches: [
        {
          file: 'domain/src/payment/rules.ts',
          find: 'if (amountMinor <= 0n || amountMinor > returnableMinorOf(payment)) return refusal',
          replace: 'if (amountMinor <= 0n || amountMinor > payment.capturedMinor) return refusal',
        },
      ],
    },
  },
}

interface Shot {
  readonly action: 'CREDITVOID' | 'CAPTURE' | 'VOID'
  readonly fields: Fields
}

interface Round {
  readonly name: string
  readonly protocol: 'S2S CARD' | 'S2S APM'
  readonly holds: boolean
  readonly shots: readonly Shot[]
}

const settleWithinMs = 60_000

async function run(terms: Terms): Promise<Findings> {
  const rounds = roundsOf(terms)
  await using stage = await openStage({
    apis: 2,
    workers: 1,
    database: terms.database,
    threeDs: terms.standIns === undefined,
    standIns: terms.standIns,
    sharedAuthority: true,
  })
  const idle: string[] = []
  const waiting = rounds.entries()
  const lane = async (): Promise<void> => {
    for (const [index, round] of waiting) idle.push(...(await race(stage, round, index)))
  }
  await Promise.all(Array.from({ length: sizeOf(terms, 'lanes') }, lane))
  const others = terms.standIns
    ? []
    : [
        await raceTokens(stage, terms.random, sizeOf(terms, 'tokens')),
        await raceSessions(stage, sizeOf(terms, 'sessions')),
      ]
  await until(() => isQuiet(stage), settleWithinMs)

  const excess = await excessOf(stage)
  const refused = await findRefusalsByAcquirer(stage)
  return joinFindings(
    ...others,
    {
      figures: [
        { name: 'rounds', value: rounds.length },
        { name: 'commands fired', value: rounds.reduce((sum, { shots }) => sum + shots.length, 0) },
        { name: 'over-refunds', value: excess.refunds.length, must: 0 },
        { name: 'over-captures', value: excess.captures.length, must: 0 },
        { name: 'refused by the acquirer', value: refused.length, must: 0 },
        { name: 'rounds in which nothing succeeded', value: idle.length, must: 0 },
      ],
      faults: [...excess.refunds, ...excess.captures, ...refused, ...idle],
    },
    auditFigures(await audit(stage)),
  )
}

function roundsOf(terms: Terms): readonly Round[] {
  const twice = { name: 'twice', holds: false, shots: [refundOf('60.00'), refundOf('60.00')] }
  return [
    ...Array.from({ length: sizeOf(terms, 'rounds') }, () => ({ ...twice, protocol: protocolOf(terms) })),
    ...Array.from({ length: sizeOf(terms, 'crowds') }, () => crowd(terms)),
    ...Array.from({ length: sizeOf(terms, 'mixes') }, () => mix(terms)),
  ]
}

const refundOf = (amount: string): Shot => ({ action: 'CREDITVOID', fields: { amount } })

/** Stand-ins are paid by card. */
const protocolOf = ({ random, standIns }: Terms): Round['protocol'] =>
  standIns ? 'S2S CARD' : random.pick<Round['protocol']>(['S2S CARD', 'S2S APM'])

/** Two to fifty refunds of random amounts, the last of which alone is the full amount. */
const crowd = (terms: Terms): Round => ({
  name: 'crowd',
  protocol: protocolOf(terms),
  holds: false,
  shots: [
    ...Array.from({ length: terms.random.between(1, 49) }, () => refundOf(`${terms.random.between(1, 100)}.00`)),
    refundOf('100.00'),
  ],
})

/** All commands at once, on a hold or on a sale. */
const mix = (terms: Terms): Round => ({
  name: 'mix',
  protocol: protocolOf(terms),
  holds: terms.random.between(0, 1) === 1,
  shots: [
    { action: 'CAPTURE', fields: { amount: `${terms.random.between(1, 100)}.00` } },
    { action: 'CAPTURE', fields: {} },
    { action: 'CREDITVOID', fields: {} },
    refundOf(`${terms.random.between(1, 100)}.00`),
    { action: 'VOID', fields: {} },
  ],
})

/** Returns a line if no command succeeded: a guard that refuses everything would be safe and useless. */
async function race(stage: Stage, round: Round, index: number): Promise<readonly string[]> {
  const orderId = `${round.name}-${index}`
  const merchant = stage.merchants[index % stage.merchants.length] ?? stage.merchant
  const [one, other] = stage.apis
  if (!one || !other) throw new Error('A race needs two processes.')
  const onApm = round.protocol === 'S2S APM'
  const fields: Fields = { order_amount: '100.00', ...(round.holds ? { auth: 'Y' } : {}) }
  const sale = await (onApm
    ? apmSale(stage, one.url, orderId, { over: fields })
    : merchant.sale(one.url, orderId, fields))
  const transId = sale.answered ? sale.body.trans_id : undefined
  if (transId === undefined) throw new Error(`No payment for ${orderId}: ${JSON.stringify(sale)}`)

  const replies = await Promise.all(
    round.shots.map(({ action, fields: shot }, number) => {
      const { url } = number % 2 === 0 ? one : other
      return onApm
        ? apmFollowUp(stage, url, { action, transId, over: shot })
        : merchant.followUp(url, action, transId, shot)
    }),
  )
  // Some acquirers decide a capture later, and the answer is then UNDEFINED.
  const successes = ['SUCCESS', 'ACCEPTED', ...(stage.standIns.running.length > 0 ? ['UNDEFINED'] : [])]
  const won = replies.filter((reply) => reply.answered && successes.includes(reply.body.result ?? ''))
  return won.length > 0 ? [] : [`Nothing succeeded in ${orderId}: ${JSON.stringify(replies)}`]
}

/** By the acquirer's own ledger, payment by payment. */
async function excessOf({ acquirer }: Stage): Promise<{ refunds: readonly string[]; captures: readonly string[] }> {
  const byPayment = Map.groupBy(await acquirer.ledger(), ({ payment_id }) => payment_id)
  const refunds: string[] = []
  const captures: string[] = []
  for (const [payment, effects] of byPayment) {
    const sum = (...types: readonly string[]): bigint =>
      effects.reduce((total, { type, amount }) => (types.includes(type) ? total + amount : total), 0n)
    const released = sum('authorize') > 0n && sum('capture') === 0n
    const [given, taken] = [sum('refund', 'void', 'reverse'), released ? sum('authorize') : sum('sale', 'capture')]
    if (given > taken) refunds.push(`Payment ${payment}: ${given} given back of ${taken}`)
    if (sum('capture') > sum('authorize')) captures.push(`Payment ${payment}: captured more than held`)
    if (released === false && sum('authorize') > 0n && sum('reverse') > 0n)
      captures.push(`Payment ${payment}: captured and released`)
  }
  return { refunds, captures }
}

/** The acquirer refuses excess as well, so a decline of the acquirer hides a fault of ours. */
async function findRefusalsByAcquirer({ pool }: Stage): Promise<readonly string[]> {
  const { rows } = await pool.query<Refusal>(
    `select payment_id, type, transactions.decline_reason, connector from transactions join mids on mids.id = mid_id where state = 'fail'`,
  )
  return rows
    .filter((row) => !isMissingVoid(row))
    .map(({ payment_id, type, decline_reason }) => `${type} of ${payment_id}: ${decline_reason}`)
}

interface Refusal {
  readonly payment_id: string
  readonly type: string
  readonly decline_reason: string
  readonly connector: string
}

/** A void that the acquirer does not have is declined, also if it comes first. */
const isMissingVoid = ({ type, connector }: Refusal): boolean =>
  type === 'VOID' && connectorById(connector)?.operations.has('void') === false
