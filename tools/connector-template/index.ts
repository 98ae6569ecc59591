/**
 * TITLE: a connector to an acquirer over HTTP, as `npm run new:connector` creates it. Charges are JSON, later steps are forms; both are signed.
 *
 * Change the files to the terms of the acquirer's documentation, and the fixtures with them, and state here which version of it they follow.
 */
import { connector, type FollowUp, type Order, type Outcome } from '#server/connectors/connector.ts'
import { formBody, jsonBody, type Wire } from '#server/connectors/wire.ts'
import { toAnswer, toCheck, toOutcome } from './answer.ts'
import { type AcquirerCredentials, credentials, sign } from './credentials.ts'
import { readReport } from './notification.ts'
import { isCardOrder, toCharge, toStep } from './request.ts'
import { testCards } from './test-cards.ts'

type AcquirerWire = Wire<AcquirerCredentials>

const day = 86_400_000

export const template = connector({
  id: 'template',
  title: 'TITLE',
  credentials,
  hosts: (_credentials, mode) => ({
    api: mode === 'live' ? 'https://api.acquirer.example' : 'https://api.test.acquirer.example',
  }),
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
    externalThreeDs: false,
    ownThreeDs: false,
    ipv6: true,
  },
  secretFields: ['card.number', 'card.code'],
  sign,
  // An unknown outcome is resolved by asking with our id. The other ways are `repeat`, `reverse` and `by-hand`.
  recoveryWay: 'lookup',
  // What the documentation guarantees: for how long a repeated key has one effect, and how long a request may be queued. Without a guarantee
  // declare `idempotencyKey: null`: then no request is ever sent twice.
  recovery: () => ({ idempotencyKey: { validForMs: day }, executesWithinMs: 120_000 }),
  testCards,

  sale: (order, wire) => charge('sale', order, wire),
  authorize: (order, wire) => charge('hold', order, wire),
  capture: (followUp, wire) => proceed('capture', followUp, wire),
  refund: (followUp, wire) => proceed('refund', followUp, wire),
  reverse: (followUp, wire) => proceed('release', followUp, wire),
  status: async ({ transactionId }, wire) => toAnswer(await wire.get(`/charges/${encodeURIComponent(transactionId)}`)),
  readNotification: async (request, wire) => readReport(request, wire.credentials),
  check: async (_nothing, wire) => toCheck(await wire.get('/account')),
})

async function charge(kind: 'sale' | 'hold', order: Order, wire: AcquirerWire): Promise<Outcome> {
  if (!isCardOrder(order)) return { result: 'not-executed', reason: 'This acquirer takes cards only', facts: {} }
  const options = { idempotencyKey: order.transactionId }
  return toOutcome(await wire.post('/charges', jsonBody(toCharge(kind, order)), options))
}

async function proceed(step: string, followUp: FollowUp, wire: AcquirerWire): Promise<Outcome> {
  const path = `/charges/${encodeURIComponent(followUp.originalTransactionId)}/${step}`
  return toOutcome(await wire.post(path, formBody(toStep(followUp)), { idempotencyKey: followUp.transactionId }))
}
