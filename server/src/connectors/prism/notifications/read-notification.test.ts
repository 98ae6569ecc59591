/** Notifications as acquirers document them, and what the package's helper was recorded to answer about them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { connectorById } from '../../registry.ts'
import { createWires } from '../../wire.ts'
import { noTransformer, type Transformer } from '../transformer/transformer.ts'
import recordedFile from './recorded.json' with { type: 'json' }
import { signedReports } from './signatures.ts'

const texts = z.record(z.string(), z.string())
const recorded = z
  .array(
    z.object({
      connector: z.string(),
      credentials: texts,
      headers: texts,
      body: z.string(),
      names: z.object({ transactionId: z.string().nullable(), acquirerReference: z.string().nullable() }),
      answer: z.looseObject({ payment: z.looseObject({}) }),
    }),
  )
  .parse(recordedFile)
type Recorded = (typeof recorded)[number]

const secretName = ({ connector }: Recorded): string =>
  signedReports[connector.replace('prism-', '')]?.secret ?? assert.fail(connector)

const receivedAt = new Date('2026-03-01T12:01:00Z')

/** What is read, and how often the helper was asked. */
async function read(
  { connector: id, credentials, headers, body, answer }: Recorded,
  changes: Partial<Transformer> = {},
  at = receivedAt,
) {
  let asks = 0
  const prism: Transformer = {
    ...noTransformer,
    readEvent: async () => {
      asks += 1
      return { kind: 'done', value: answer }
    },
    ...changes,
  }
  const wires = createWires({ clock: { now: () => at }, prism })
  const account = connectorById(id)?.open(credentials, wires, 'test')
  const reading = await account?.readNotification?.({
    headers,
    query: {},
    body: Buffer.from(body),
    receivedAt: at,
  })
  await wires.close()
  return { reading: reading ?? assert.fail(`${id} takes no notifications.`), asks }
}

test('every acquirer whose notifications are taken has a recorded one, and its connector offers them', () => {
  assert.deepEqual(
    recorded.map(({ connector }) => connector.replace('prism-', '')).toSorted(),
    Object.keys(signedReports).toSorted(),
  )
  assert.equal(connectorById('prism-shift4')?.operations.has('readNotification'), false)
})

for (const one of recorded) {
  describe(one.connector, () => {
    test('a signed notification says whom it is about, and nothing more', async () => {
      const { reading } = await read(one)
      assert.equal(reading.kind, 'verified')
      const [event] = reading.kind === 'verified' ? reading.events : []
      assert.ok(event?.kind === 'reported')
      const { paymentId, transactionId, acquirerReference, task } = event
      assert.deepEqual(
        { paymentId, transactionId, acquirerReference, task },
        { paymentId: null, task: null, ...one.names },
      )
    })

    test('one that is changed, unsigned or signed with another secret is refused before the package sees it', async () => {
      for (const forged of [
        { ...one, body: one.body.replace(/4/, '5') },
        { ...one, headers: {} },
        { ...one, credentials: { ...one.credentials, [secretName(one)]: 'another' } },
      ]) {
        const { reading, asks } = await read(forged)
        assert.deepEqual([reading.kind, asks], ['unverified', 0])
      }
    })

    test('the secret that is being rolled out is still good', async () => {
      const previous = one.credentials[secretName(one)] ?? assert.fail()
      const credentials = { ...one.credentials, [secretName(one)]: 'the-next', webhook_secret_previous: previous }
      const { reading } = await read({ ...one, credentials })
      assert.equal(reading.kind, 'verified')
    })
  })
}

const [revolut, nmi] = ['prism-revolut', 'prism-nmi'].map(
  (id) => recorded.find(({ connector }) => connector === id) ?? assert.fail(id),
)
assert.ok(revolut && nmi)

test('a signature with a time is refused when it is old', async () => {
  const { reading } = await read(revolut, {}, new Date('2026-03-01T12:06:00Z'))
  assert.deepEqual(reading, { kind: 'unverified', reason: 'The signature is too old.' })
})

test('what the package itself does not find signed is refused, and what it cannot read is ignored', async () => {
  const unsigned = { kind: 'done', value: { ...nmi.answer, sourceVerified: false } } as const
  assert.equal((await read(nmi, { readEvent: async () => unsigned })).reading.kind, 'unverified')
  const refused = {
    kind: 'refused',
    refusal: { code: 'WEBHOOK_EVENT_TYPE_NOT_FOUND', message: '', error: null },
  } as const
  assert.equal((await read(nmi, { readEvent: async () => refused })).reading.kind, 'ignored')
})

test('a helper that does not answer is a fault, so that the acquirer sends the notification again', async () => {
  await assert.rejects(read(nmi, noTransformer), /not installed/)
})

test('a payment that is not decided yet is ignored', async () => {
  const { payment } = nmi.answer
  const waiting = { kind: 'done', value: { ...nmi.answer, payment: { ...payment, statusName: 'PENDING' } } } as const
  assert.equal((await read(nmi, { readEvent: async () => waiting })).reading.kind, 'ignored')
})

test('a dispute becomes a task for an operator, with the payment that it is about', async () => {
  const dispute = { connectorDisputeId: 'D-1', connectorTransactionId: '40012345678', disputeReason: '10.4' }
  const value = { sourceVerified: true, eventTypeName: 'WEBHOOK_DISPUTE_OPENED', dispute }
  const { reading } = await read(nmi, { readEvent: async () => ({ kind: 'done', value }) })
  const [event] = reading.kind === 'verified' ? reading.events : []
  assert.ok(event?.kind === 'reported')
  assert.equal(event.acquirerReference, '40012345678')
  assert.equal(event.task, 'The acquirer reports a dispute: opened, D-1 (10.4). Enter the chargeback in the panel.')
})
