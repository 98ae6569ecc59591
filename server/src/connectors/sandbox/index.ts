/**
 * The sandbox acquirer (`sandbox/acquirer`), a separate program reached over HTTP. Chapter 10 §12, chapter 20 §18, chapter 40 §20.2,
 * chapter 50 §6.
 *
 * It takes our transaction id as its idempotency key, so that sending twice charges once. Amounts go in minor units.
 */

import { z } from 'zod'
import { dayMs } from '#domain/time.ts'
import { connector, type FollowUp, type Order, type Outcome } from '../connector.ts'
import { jsonBody, type Wire } from '../wire.ts'
import { losesMerchantAnswer, toAnswer, toOutcome } from './answer.ts'
import { effectsSince, toEffects } from './effects.ts'
import { sinceOf, toEvents } from './events.ts'
import { loseAnswer } from './lost-answers.ts'
import { type FirstStep, fromFollowUp, fromOrder, type LaterStep } from './request.ts'
import { testCards } from './test-cards.ts'

const credentials = z.object({
  mid: z.string().min(1),
  base_url: z.url({ protocol: /^https?$/ }),
  idempotency_keys: z
    .enum(['honoured', 'ignored'])
    .describe('"ignored" treats it as an acquirer without idempotency keys; default "honoured".')
    .optional(),
  executes_within_seconds: z
    .int()
    .min(0)
    .max(3600)
    .describe('Maximum time that a request may wait there before it is executed; default 5.')
    .optional(),
})

type SandboxWire = Wire<z.infer<typeof credentials>>

/** The sandbox executes at once; the five seconds allow for network delay. */
const usuallyWithinSeconds = 5

export const sandbox = connector({
  id: 'sandbox',
  title: 'Sandbox acquirer',
  credentials,
  hosts: ({ base_url: api }) => ({ api }),
  testCards,
  supports: {
    cardFlow: true,
    acceptsDecrypted: true,
    passesTokens: true,
    emv: true,
    partialCapture: true,
    partialRefund: true,
    moto: true,
    zeroAmount: true,
    recurring: true,
    cardOnFile: true,
    ownThreeDs: true,
    externalThreeDs: true,
    ipv6: true,
  },
  secretFields: [
    'card.number',
    'card.cvv',
    'payee_card',
    'external_3ds.authentication_value',
    'wallet.token',
    'wallet.cryptogram',
    'wallet.emv_data',
    'wallet.pin_data',
    'wallet.merchant_token',
    // All of them: only the brand says which are secret, and an operator may define brands.
    'parameters',
  ],
  recoveryWay: 'lookup',
  recovery: ({ idempotency_keys: keys, executes_within_seconds: seconds = usuallyWithinSeconds }) => ({
    // Its journal keeps every key for good; this is longer than any schedule of status queries lasts.
    idempotencyKey: keys === 'ignored' ? null : { validForMs: 30 * dayMs },
    executesWithinMs: seconds * 1000,
  }),

  sale: (order, wire) => begin('sale', order, wire),
  authorize: (order, wire) => begin('authorize', order, wire),
  debit: (order, wire) => begin('debit', order, wire),
  credit: (order, wire) => begin('credit', order, wire),
  transfer: (order, wire) => begin('transfer', order, wire),
  capture: (followUp, wire) => proceed('capture', followUp, wire),
  refund: (followUp, wire) => proceed('refund', followUp, wire),
  reverse: (followUp, wire) => proceed('reverse', followUp, wire),
  void: (followUp, wire) => proceed('void', followUp, wire),
  status: async ({ transactionId }, wire) => {
    const mid = encodeURIComponent(wire.credentials.mid)
    const reply = await wire.get(`/v1/transactions/${encodeURIComponent(transactionId)}?mid=${mid}`)
    return toAnswer(reply, transactionId)
  },
  events: async (cursor, wire) => {
    const since = sinceOf(cursor)
    const reply = await wire.get(`/v1/events?since=${since}&limit=${longestReport}`)
    return toEvents(reply, { mid: wire.credentials.mid, since, longest: longestReport })
  },
  effects: async ({ cursor }, wire) => {
    const since = effectsSince(cursor)
    const reply = await wire.get(`/ledger?since=${since}&limit=${longestReport}`)
    return toEffects(reply, { mid: wire.credentials.mid, since, longest: longestReport })
  },
})

const longestReport = 200

async function begin(type: FirstStep, order: Order, wire: SandboxWire): Promise<Outcome> {
  const body = fromOrder(type, wire.credentials.mid, order)
  const { transactionId } = order
  const reply = await wire.post('/v1/transactions', jsonBody(body), { idempotencyKey: transactionId })
  if (losesMerchantAnswer(reply)) loseAnswer()
  return toOutcome(reply, transactionId)
}

async function proceed(type: LaterStep, followUp: FollowUp, wire: SandboxWire): Promise<Outcome> {
  const body = fromFollowUp(type, wire.credentials.mid, followUp)
  const { transactionId } = followUp
  return toOutcome(
    await wire.post('/v1/transactions', jsonBody(body), { idempotencyKey: transactionId }),
    transactionId,
  )
}
