import assert from 'node:assert/strict'
import { constants, createCipheriv, createHmac, generateKeyPairSync, publicEncrypt } from 'node:crypto'
import { test } from 'node:test'
import { readCybersourceNotification } from './notification.ts'

const keyId = 'bf44c857-b182-bb05-e053-34b8d30a7a72'
const key = Buffer.alloc(32, 1).toString('base64')
const keys = { webhook_key_id: keyId, webhook_key: key }
const receivedAt = new Date('2026-03-01T12:00:00Z')
const at = new Date('2026-03-01T11:59:58Z')
const paymentId = '0199a1b2-c3d4-7e5f-8a6b-00000000000a'
const code = `${paymentId}.000000000002`

function sign(body: Buffer, { secret = key, id = keyId, time = receivedAt.getTime() } = {}): string {
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${time}.`).update(body).digest('base64')
  return `t=${time};keyId=${id};sig=${signature}`
}

const read = (body: Buffer, header: string | undefined, with_: object = keys) =>
  readCybersourceNotification(
    { headers: header === undefined ? {} : { 'v-c-signature': header }, query: {}, body, receivedAt },
    with_,
  )

const bodyOf = (eventType: string, payload: unknown, changes: object = {}): Buffer =>
  Buffer.from(
    JSON.stringify({
      eventType,
      eventDate: at.toISOString(),
      webhookId: 'w',
      transactionTraceId: 't1',
      payload,
      ...changes,
    }),
  )

const report = (eventType: string, payload: unknown, changes: object = {}) => {
  const body = bodyOf(eventType, payload, changes)
  return read(body, sign(body))
}

const captured = [{ data: { id: '1', clientReferenceInformation: { code } } }]
const accepted = 'payments.capture.status.accepted'

test('a signed notification leads back to the transaction, wherever its product puts the reference', () => {
  const payloads = [
    captured,
    { data: { clientReferenceInformation: { code } } },
    { transactionResult: { details: { clientReferenceInformation: { code } } } },
    { data: { referenceNumber: code } },
    { clientReferenceInformation: { code } },
  ]
  for (const payload of payloads) {
    const reading = report('risk.casemanagement.decision.accept', payload)
    assert.ok(reading.kind === 'verified', JSON.stringify(payload))
    const [event, ...more] = reading.events
    assert.deepEqual(more, [])
    assert.deepEqual(event, {
      kind: 'decided',
      reference: `${reading.id}.0`,
      paymentId,
      transactionId: '000000000002',
      at,
    })
  }
})

test('a repeated notification has the same id, although each attempt has a number of its own; another event has another', () => {
  const idOf = (reading: ReturnType<typeof report>) => (reading.kind === 'unverified' ? null : reading.id)
  const first = idOf(report(accepted, captured))
  assert.equal(idOf(report(accepted, captured, { transactionTraceId: 't2', requestType: 'RETRY' })), first)
  assert.notEqual(idOf(report(accepted, captured, { eventDate: '2026-03-01T11:59:57Z' })), first)
})

test('payments of another shop, kinds of the future and events without a payment are taken and ignored', () => {
  for (const [type, payload] of [
    [accepted, [{ data: { clientReferenceInformation: { code: 'ORDER-7' } } }]],
    [accepted, {}],
    [accepted, null],
    ['invoicing.customer.invoice.send', captured],
    ['tms.networktoken.updated', captured],
  ] as const)
    assert.equal(report(type, payload).kind, 'ignored', type)
})

test('while the key is replaced, either key is accepted under its own id', () => {
  const body = bodyOf(accepted, captured)
  const newer = { id: 'a-newer-key-id', secret: Buffer.alloc(32, 2).toString('base64') }
  const both = {
    webhook_key_id: newer.id,
    webhook_key: newer.secret,
    webhook_key_id_previous: keyId,
    webhook_key_previous: key,
  }
  assert.equal(read(body, sign(body), both).kind, 'verified')
  assert.equal(read(body, sign(body, newer), both).kind, 'verified')
  assert.equal(read(body, sign(body, { ...newer, id: keyId }), both).kind, 'unverified')
  assert.equal(read(body, sign(body, newer)).kind, 'unverified', 'the other MID’s key')
})

test('nothing is believed without the right signature: missing, forged, shortened, of another body, or without a key', () => {
  const body = bodyOf(accepted, captured)
  const right = sign(body)
  assert.equal(read(body, `${right};`).kind, 'verified')
  const wrong = [
    undefined,
    '',
    'x',
    right.slice(0, -4),
    right.replace(/sig=..../, 'sig=AAAA'),
    right.replace(/t=\d/, 't=9'),
    right.replace(/^t=\d+/, 't=yesterday'),
    sign(Buffer.from('{}')),
    sign(body, { secret: Buffer.alloc(32, 3).toString('base64') }),
    `${right}é`,
  ]
  for (const header of wrong) assert.equal(read(body, header).kind, 'unverified', header)
  assert.equal(read(body, right, {}).kind, 'unverified', 'without a key')
  assert.equal(read(body, sign(body, { id: 'undefined' }), {}).kind, 'unverified', 'without a key ID')
})

test('a signature of more than five minutes ago, or from the future, is too old to be believed', () => {
  const body = bodyOf(accepted, captured)
  const signedAgo = (ms: number) => read(body, sign(body, { time: receivedAt.getTime() - ms })).kind
  assert.equal(signedAgo(300_000), 'verified')
  assert.equal(signedAgo(-300_000), 'verified')
  assert.equal(signedAgo(300_001), 'unverified')
  assert.equal(signedAgo(-300_001), 'unverified')
})

test('a signed body that is no notification is refused, whatever it is, and one of a megabyte is read', () => {
  for (const text of [
    '',
    'null',
    '[]',
    '{',
    '{"eventType":1}',
    '"text"',
    '\u0000',
    '{"eventType":"x","eventDate":"soon"}',
  ]) {
    const body = Buffer.from(text)
    assert.equal(read(body, sign(body)).kind, 'unverified', text)
  }
  assert.equal(report(accepted, captured, { filler: 'x'.repeat(1_000_000) }).kind, 'verified')
})

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

function encrypt(text: string, head: object = { alg: 'RSA-OAEP-256', enc: 'A256GCM' }): string {
  const header = Buffer.from(JSON.stringify(head)).toString('base64url')
  const [contentKey, iv] = [Buffer.alloc(32, 5), Buffer.alloc(12, 6)]
  const cipher = createCipheriv('aes-256-gcm', contentKey, iv).setAAD(Buffer.from(header))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const wrapped = publicEncrypt({ key: pair.publicKey, padding, oaepHash: 'sha256' }, contentKey)
  return [header, ...[wrapped, iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
}

test('an encrypted notification is read with the private key, and ignored without it', () => {
  const message = encrypt(bodyOf(accepted, captured).toString())
  const opening = { ...keys, webhook_private_key: pair.privateKey }
  for (const text of [message, JSON.stringify({ encData: message }), JSON.stringify({ encryptedRequest: message })]) {
    const body = Buffer.from(text)
    assert.equal(read(body, sign(body), opening).kind, 'verified', text.slice(0, 20))
    assert.equal(read(body, sign(body)).kind, 'ignored', 'without the key')
  }
})

test('an encrypted notification that was changed, or names another cipher, is not read', () => {
  const text = bodyOf(accepted, captured).toString()
  const opening = { ...keys, webhook_private_key: pair.privateKey }
  const message = encrypt(text)
  const changed = message.replace(/\.[^.]{4}([^.]*)$/, '.AAAA$1')
  for (const one of [
    changed,
    encrypt(text, { alg: 'RSA1_5', enc: 'A256GCM' }),
    encrypt(text, { alg: 'dir', enc: 'none' }),
  ]) {
    const body = Buffer.from(JSON.stringify({ encData: one }))
    assert.equal(read(body, sign(body), opening).kind, 'ignored')
  }
})
