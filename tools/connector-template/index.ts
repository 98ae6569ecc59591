/**
 * TITLE: a connector to an acquirer that uses JSON, as `npm run new:connector` creates it.
 *
 * Change `request.ts` and `answer.ts` to the terms of the acquirer's documentation, and the fixtures with them, and state here which
 * version of it they follow.
 */
import { z } from 'zod'
import { connector, type FollowUp, type Order, type Outcome } from '#server/connectors/connector.ts'
import { jsonBody, type Wire } from '#server/connectors/wire.ts'
import { toAnswer, toOutcome } from './answer.ts'
import { isCardOrder, toCharge, toStep } from './request.ts'

const credentials = z.object({ base_url: z.url({ protocol: /^https?$/ }), api_key: z.string().min(1) })

type AcquirerWire = Wire<z.infer<typeof credentials>>

export const template = connector({
  id: 'template',
  title: 'TITLE',
  credentials,
  hosts: ({ base_url: api }) => ({ api }),
  supports: {
    cardFlow: false,
    acceptsDecrypted: false,
    passesTokens: false,
    emv: false,
    partialCapture: true,
    partialRefund: true,
    moto: true,
    zeroAmount: false,
    recurring: false,
    cardOnFile: false,
    ownThreeDs: false,
    externalThreeDs: false,
    ipv6: true,
  },
  secretFields: ['card.number', 'card.code'],
  // Sees method, address, headers and the exact bytes of every request, for an acquirer that wants them signed.
  sign: (_request, { api_key }) => ({ authorization: `Bearer ${api_key}` }),
  // What the documentation guarantees about idempotency keys and about how long a request may be queued. Null is safe: a request that the
  // acquirer never got then ends as not executed instead of being sent again.
  recoveryWay: 'lookup',
  recovery: () => ({ idempotencyKey: null, executesWithinMs: 120_000 }),

  sale: (order, wire) => charge('sale', order, wire),
  authorize: (order, wire) => charge('hold', order, wire),
  capture: (followUp, wire) => proceed('capture', followUp, wire),
  refund: (followUp, wire) => proceed('refund', followUp, wire),
  reverse: (followUp, wire) => proceed('release', followUp, wire),
  status: async ({ transactionId }, wire) => toAnswer(await wire.get(`/charges/${encodeURIComponent(transactionId)}`)),
})

async function charge(kind: 'sale' | 'hold', order: Order, wire: AcquirerWire): Promise<Outcome> {
  if (!isCardOrder(order)) return { result: 'not-executed', reason: 'This acquirer takes cards only', facts: {} }
  const options = { idempotencyKey: order.transactionId }
  return toOutcome(await wire.post('/charges', jsonBody(toCharge(kind, order)), options))
}

async function proceed(step: string, followUp: FollowUp, wire: AcquirerWire): Promise<Outcome> {
  const path = `/charges/${encodeURIComponent(followUp.originalTransactionId)}/${step}`
  return toOutcome(await wire.post(path, jsonBody(toStep(followUp)), { idempotencyKey: followUp.transactionId }))
}
