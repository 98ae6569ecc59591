import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { now } from '#sandbox/acquirers/kit/clock.ts'
import { createCertificates } from '#sandbox/acquirers/paypal/certificates.ts'
import type { CertifiedKey } from '#sandbox/wallet/certificates/certificate.ts'
import { pem } from '#sandbox/wallet/certificates/certificate.ts'
import type { NotificationRequest } from '#server/connectors/notification.ts'
import { paypal } from '#server/connectors/paypal/index.ts'
import { createWires } from '#server/connectors/wire.ts'
import { portOf } from '../hosts/port-of.ts'

const paymentId = '0199a1b2-c3d4-7e5f-8a6b-00000000000a'
const first = `${paymentId}.000000000001`
const second = `${paymentId}.000000000002`
const certificates = await createCertificates()
const others = await createCertificates()
const misnamed = await createCertificates(certificates.authority, 'www.paypal.com.example.com')
const at = now()

/** Serves certificates as PayPal does. */
async function open(t: TestContext, { changes = {}, chain = [certificates.signer, certificates.authority] } = {}) {
  let fetches = 0
  const server = createServer((request, response) => {
    if (request.url === '/v1/oauth2/token') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ access_token: 'A21AAtoken', expires_in: 3600 }))
      return
    }
    fetches += 1
    response.writeHead(request.url === '/v1/notifications/certs/CERT-1' ? 200 : 404).end(chain.map(pem).join(''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${portOf(server)}`
  const wires = createWires({ clock: { now: () => at } })
  t.after(async () => {
    await wires.close()
    server.closeAllConnections()
    server.close()
  })
  const credentials = {
    client_id: 'id',
    client_secret: 'secret',
    webhook_id: 'HOOK1',
    webhook_id_previous: 'HOOK0',
    webhook_authority: pem(certificates.authority),
    base_url: url,
    ...changes,
  }
  const account = paypal.open(credentials, wires, 'test')
  const read = async (request: NotificationRequest) => {
    const reading = await account.readNotification?.(request)
    assert.ok(reading)
    return reading
  }
  return { url, read, fetches: () => fetches }
}

interface Transmission {
  readonly event?: unknown
  readonly hook?: string
  readonly key?: CertifiedKey
  readonly time?: Date
  readonly headers?: Readonly<Record<string, string>>
}

const captureEvent = (resource: Readonly<Record<string, unknown>> = {}, type = 'PAYMENT.CAPTURE.COMPLETED') => ({
  id: 'WH-1',
  event_type: type,
  create_time: '2026-03-01T12:00:00.000Z',
  resource: {
    id: '2GG279541U471931P',
    status: 'COMPLETED',
    amount: { currency_code: 'EUR', value: '10.00' },
    custom_id: first,
    invoice_id: first,
    ...resource,
  },
})

function transmit(url: string, { event, hook, key, time, headers }: Transmission = {}): NotificationRequest {
  const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event ?? captureEvent()))
  const sentAt = (time ?? at).toISOString()
  const text = `9f1b|${sentAt}|${hook ?? 'HOOK1'}|${crc32(body)}`
  const signature = sign('RSA-SHA256', Buffer.from(text), (key ?? certificates.signer).key.privateKey)
  return {
    query: {},
    body,
    receivedAt: at,
    headers: {
      'paypal-transmission-id': '9f1b',
      'paypal-transmission-time': sentAt,
      'paypal-transmission-sig': signature.toString('base64'),
      'paypal-cert-url': `${url}/v1/notifications/certs/CERT-1`,
      'paypal-auth-algo': 'SHA256withRSA',
      ...headers,
    },
  }
}

test('a genuine notification is verified under the present and the previous webhook, with one fetch of the certificate', async (t) => {
  const { url, read, fetches } = await open(t)
  for (const hook of ['HOOK1', 'HOOK0']) {
    const reading = await read(transmit(url, { hook }))
    assert.deepEqual(reading, {
      kind: 'verified',
      id: 'WH-1',
      events: [
        {
          kind: 'decided',
          reference: 'WH-1',
          paymentId,
          transactionId: '000000000001',
          at: new Date('2026-03-01T12:00:00.000Z'),
          outcome: { result: 'approved', facts: { reference: '2GG279541U471931P' } },
        },
      ],
    })
  }
  assert.equal(fetches(), 1)
})

const hour = 3_600_000
const forgeries: readonly (readonly [string, Transmission, string])[] = [
  ['another MID’s webhook', { hook: 'HOOK9' }, 'The signature is wrong.'],
  ['another key', { key: others.signer }, 'The signature is wrong.'],
  [
    'an old transmission',
    { time: new Date(at.getTime() - 74 * hour) },
    'The time of the transmission is too far away.',
  ],
  [
    'a transmission of the future',
    { time: new Date(at.getTime() + hour) },
    'The time of the transmission is too far away.',
  ],
  ['no time', { headers: { 'paypal-transmission-time': '' } }, 'The time of the transmission is too far away.'],
  ['no signature', { headers: { 'paypal-transmission-sig': '' } }, 'The signature is missing.'],
  [
    'another algorithm',
    { headers: { 'paypal-auth-algo': 'SHA1withRSA' } },
    'The algorithm of the signature is not known.',
  ],
  [
    'a certificate elsewhere',
    { headers: { 'paypal-cert-url': 'https://evil.example.com/v1/notifications/certs/CERT-1' } },
    'The certificate is not at an address of PayPal.',
  ],
  ['no address', { headers: { 'paypal-cert-url': '' } }, 'The certificate is not at an address of PayPal.'],
]

for (const [what, transmission, reason] of forgeries) {
  test(`${what}: unverified`, async (t) => {
    const { url, read } = await open(t)
    assert.deepEqual(await read(transmit(url, transmission)), { kind: 'unverified', reason })
  })
}

test('a body that was changed on the way is unverified', async (t) => {
  const { url, read } = await open(t)
  const request = transmit(url)
  const body = Buffer.from(request.body.toString('utf8').replace('10.00', '99.00'))
  assert.equal((await read({ ...request, body })).kind, 'unverified')
})

const notPaypal = { kind: 'unverified', reason: 'The certificate is not one of PayPal.' }

test('a certificate of another authority, of another name, or without a chain is unverified', async (t) => {
  const foreign = await open(t, { chain: [others.signer, others.authority] })
  assert.deepEqual(await foreign.read(transmit(foreign.url, { key: others.signer })), notPaypal)
  const named = await open(t, { chain: [misnamed.signer, certificates.authority] })
  assert.deepEqual(await named.read(transmit(named.url, { key: misnamed.signer })), notPaypal)
  const authority = await open(t, { chain: [certificates.authority] })
  assert.deepEqual(await authority.read(transmit(authority.url, { key: certificates.authority })), notPaypal)
  const empty = await open(t, { chain: [] })
  assert.deepEqual(await empty.read(transmit(empty.url)), notPaypal)
})

test('a stand-in’s authority is trusted only if the operator entered it', async (t) => {
  const { url, read } = await open(t, { changes: { webhook_authority: undefined } })
  assert.deepEqual(await read(transmit(url)), notPaypal)
})

test('a certificate that PayPal does not have, or that cannot be fetched, leaves the notification unverified', async (t) => {
  const { url, read } = await open(t)
  const headers = { 'paypal-cert-url': `${url}/v1/notifications/certs/CERT-2` }
  assert.equal((await read(transmit(url, { headers }))).kind, 'unverified')
  const closed = await open(t, { changes: { base_url: 'http://127.0.0.1:1' } })
  const reading = await closed.read(transmit('http://127.0.0.1:1'))
  assert.deepEqual(reading, { kind: 'unverified', reason: 'The certificate could not be fetched.' })
})

test('without a webhook in the credentials nothing is accepted', async (t) => {
  const { url, read } = await open(t, { changes: { webhook_id: undefined, webhook_id_previous: undefined } })
  assert.deepEqual(await read(transmit(url)), { kind: 'unverified', reason: 'The MID has no Webhook ID.' })
})

test('garbage and a body of a megabyte are read without a fault', async (t) => {
  const { url, read } = await open(t)
  assert.equal((await read(transmit(url, { event: 'not JSON' }))).kind, 'unverified')
  const large = { ...captureEvent(), note: 'x'.repeat(1_000_000) }
  assert.equal((await read(transmit(url, { event: large }))).kind, 'verified')
})

const eventAt = new Date('2026-03-01T12:00:00.000Z')
const related = { supplementary_data: { related_ids: { authorization_id: '0AW2184448108334S' } } }
const dispute = (status: string, outcome?: string) => ({
  dispute_id: 'PP-D-1',
  status,
  reason: 'UNAUTHORISED',
  dispute_amount: { currency_code: 'EUR', value: '10.00' },
  seller_response_due_date: '2026-03-10T00:00:00.000Z',
  disputed_transactions: [{ custom: first }],
  ...(outcome && { dispute_outcome: { outcome_code: outcome } }),
})
const changed = (state: string) => ({
  kind: 'dispute-changed',
  reference: 'WH-1',
  dispute: 'PP-D-1',
  chargeback: null,
  paymentId,
  at: eventAt,
  state,
  amountMinor: 1000n,
  evidenceDueAt: new Date('2026-03-10T00:00:00.000Z'),
  reasonCode: 'UNAUTHORISED',
})

const events: readonly (readonly [string, unknown, unknown])[] = [
  [
    'an approved order is decided',
    { ...captureEvent({ purchase_units: [{ custom_id: first }] }, 'CHECKOUT.ORDER.APPROVED') },
    { kind: 'decided', reference: 'WH-1', paymentId, transactionId: '000000000001', at: eventAt },
  ],
  [
    'a capture of ours is decided',
    captureEvent({ invoice_id: second, ...related }),
    {
      kind: 'decided',
      reference: 'WH-1',
      paymentId,
      transactionId: '000000000002',
      at: eventAt,
      outcome: { result: 'approved', facts: { reference: '2GG279541U471931P' } },
    },
  ],
  [
    'a capture in the dashboard is reported',
    captureEvent(related),
    { kind: 'captured', reference: 'WH-1', paymentId, transactionId: '000000000001', at: eventAt, amountMinor: 1000n },
  ],
  [
    'a declined capture is decided',
    captureEvent({ status: 'DECLINED', processor_response: { response_code: '5120' } }, 'PAYMENT.CAPTURE.DECLINED'),
    {
      kind: 'decided',
      reference: 'WH-1',
      paymentId,
      transactionId: '000000000001',
      at: eventAt,
      outcome: {
        result: 'declined',
        reason: 'Insufficient funds',
        declineClass: 'soft',
        facts: { reference: '2GG279541U471931P', extended: { processor_response_code: '5120' } },
      },
    },
  ],
  [
    'a refund is decided',
    captureEvent({ custom_id: second, invoice_id: second }, 'PAYMENT.CAPTURE.REFUNDED'),
    {
      kind: 'decided',
      reference: 'WH-1',
      paymentId,
      transactionId: '000000000002',
      at: eventAt,
      outcome: { result: 'approved', facts: { reference: '2GG279541U471931P' } },
    },
  ],
  [
    'a failed refund is reported',
    captureEvent({ custom_id: second, invoice_id: second, status: 'FAILED' }, 'PAYMENT.REFUND.FAILED'),
    {
      kind: 'refund-failed',
      reference: 'WH-1',
      paymentId,
      transactionId: '000000000002',
      at: eventAt,
      reason: 'The refund failed at PayPal',
    },
  ],
  [
    'a reversed capture is a chargeback',
    captureEvent({}, 'PAYMENT.CAPTURE.REVERSED'),
    {
      kind: 'chargeback',
      reference: 'WH-1',
      paymentId,
      amountMinor: 1000n,
      at: eventAt,
      bankDate: '2026-03-01',
      reasonCode: '0000 Reversed by PayPal',
    },
  ],
  [
    'a hold whose time is over has lapsed',
    captureEvent({ status: 'VOIDED', expiration_time: '2026-03-01T11:00:00Z' }, 'PAYMENT.AUTHORIZATION.VOIDED'),
    { kind: 'lapse', reference: 'WH-1', paymentId, at: eventAt },
  ],
  [
    'a hold that we released is ignored',
    captureEvent({ status: 'VOIDED', expiration_time: '2026-03-20T11:00:00Z' }, 'PAYMENT.AUTHORIZATION.VOIDED'),
    null,
  ],
  ['a payment of another shop is ignored', captureEvent({ custom_id: 'order-17', invoice_id: 'order-17' }), null],
  ['a kind that changes no payment is ignored', captureEvent({}, 'VAULT.PAYMENT-TOKEN.CREATED'), null],
  ['a new dispute is opened', captureEvent(dispute('OPEN'), 'CUSTOMER.DISPUTE.CREATED'), changed('opened')],
  [
    'a dispute waits for evidence',
    captureEvent(dispute('WAITING_FOR_SELLER_RESPONSE'), 'CUSTOMER.DISPUTE.UPDATED'),
    changed('evidence-due'),
  ],
  [
    'a dispute is under review',
    captureEvent(dispute('UNDER_REVIEW'), 'CUSTOMER.DISPUTE.UPDATED'),
    changed('under-review'),
  ],
  [
    'a dispute is won',
    captureEvent(dispute('RESOLVED', 'RESOLVED_SELLER_FAVOUR'), 'CUSTOMER.DISPUTE.RESOLVED'),
    [
      {
        kind: 'chargeback-returned',
        reference: 'WH-1',
        chargeback: null,
        paymentId,
        at: eventAt,
        amountMinor: 1000n,
        mayBeUntaken: true,
      },
      changed('won'),
    ],
  ],
  [
    'a dispute is lost',
    captureEvent(dispute('RESOLVED', 'RESOLVED_BUYER_FAVOUR'), 'CUSTOMER.DISPUTE.RESOLVED'),
    changed('lost'),
  ],
]

for (const [what, event, expected] of events) {
  test(what, async (t) => {
    const { url, read } = await open(t)
    const reading = await read(transmit(url, { event }))
    const wanted =
      expected === null ? { kind: 'ignored', id: 'WH-1' } : { kind: 'verified', id: 'WH-1', events: [expected].flat() }
    assert.deepEqual(reading, wanted)
  })
}
