import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCardNumber } from '#domain/card.ts'
import { testCards } from '../acquirer/triggers/triggers.ts'
import { temporaryFolder } from '../kit/testing/temporary-folder.ts'
import { cardByNumber, simulatorCards } from './cards.ts'
import { sha256 } from './key-pair.ts'
import { faultRows } from './mint/faults.ts'
import { openWallet, processingKey, recipient } from './testing/test-wallet.ts'
import { Wallet } from './wallet.ts'

const headerOf = (token: string) => JSON.parse(token).paymentData.header
const messageOf = (token: string) => {
  const { token: inner } = JSON.parse(token).paymentMethodData.tokenizationData
  return JSON.parse(JSON.parse(inner).signedMessage)
}

test('a token is minted for the key of its recipient, with its facts and the expected answers', async (t) => {
  const provider = await openWallet(t)
  const { status, body } = await provider.mintA()
  assert.equal(status, 200)
  assert.equal(body.facts.public_key_hash, headerOf(body.token).publicKeyHash)
  assert.equal(body.facts.card, '400000******0018')
  assert.equal(body.facts.signed_at, '2027-03-04T05:06:07.000Z')
  assert.deepEqual(body.expect.card, { http: 200, error_code: null, error_message: null, check: null })
})

test('an answer never contains the card number', async (t) => {
  const provider = await openWallet(t)
  for (const { name, dpan, fpan } of simulatorCards) {
    const text = JSON.stringify((await provider.mintA({ card: name })).body)
    assert.ok(!text.includes(dpan) && !text.includes(fpan))
  }
})

test('a token can be fetched again unchanged, also after a restart', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await openWallet(t, { folder })
  const { body } = await first.mintB({ card: 'decline', pan_type: 'FPAN' })
  assert.deepEqual((await first.get(`/wallet/tokens/${body.id}`)).body, body)
  const second = await openWallet(t, { folder })
  assert.deepEqual((await second.get(`/wallet/tokens/${body.id}`)).body, body)
  assert.equal(second.wallet.cardOfToken(body.token)?.card, 'decline')
  assert.equal((await second.get('/wallet/tokens/unknown')).status, 404)
})

test('a token in any form tells the acquirer its card, and a foreign one tells nothing', async (t) => {
  const provider = await openWallet(t)
  const { body } = await provider.mintA({ card: 'soft-decline', pan_type: 'FPAN' })
  const known = provider.wallet.cardOfToken(JSON.stringify(JSON.parse(body.token), null, 2))
  assert.equal(known?.card, 'soft-decline')
  assert.equal(known?.panType, 'FPAN')
  for (const envelope of ['payment_data', 'tokenization_data', 'bare']) {
    const { token } = (await provider.mintB({ card: 'undefined', envelope })).body
    assert.equal(provider.wallet.cardOfToken(token)?.card, 'undefined')
  }
  const stranger = await openWallet(t)
  assert.equal(stranger.wallet.cardOfToken(body.token), null)
  for (const text of ['', 'x', '[]', 'null', '{}', '{"paymentData":1}', '{"token":"{"}']) {
    assert.equal(provider.wallet.cardOfToken(text), null)
  }
})

test('the same seed gives the same keys, ids and cryptogram; another seed gives others', async (t) => {
  const provider = await openWallet(t)
  const [one, two, three] = await Promise.all(
    ['1', '1', '2'].map(async (seed) => (await provider.mintA({ seed })).body),
  )
  const { ephemeralPublicKey, transactionId } = headerOf(one?.token ?? '')
  assert.equal(headerOf(two?.token ?? '').ephemeralPublicKey, ephemeralPublicKey)
  assert.equal(headerOf(two?.token ?? '').transactionId, transactionId)
  // Equal key and content give equal ciphertext, so the cryptogram inside is the same too.
  assert.equal(JSON.parse(two?.token ?? '').paymentData.data, JSON.parse(one?.token ?? '').paymentData.data)
  assert.notEqual(headerOf(three?.token ?? '').transactionId, transactionId)
  const [b1, b2] = [await provider.mintB({ seed: 7 }), await provider.mintB({ seed: 7 })]
  assert.deepEqual(messageOf(b1.body.token), messageOf(b2.body.token))
})

test('without a seed no two tokens share a key or an id', async (t) => {
  const provider = await openWallet(t)
  const [one, two] = [(await provider.mintA()).body, (await provider.mintA()).body]
  assert.notEqual(headerOf(one?.token ?? '').ephemeralPublicKey, headerOf(two?.token ?? '').ephemeralPublicKey)
  assert.notEqual(headerOf(one?.token ?? '').transactionId, headerOf(two?.token ?? '').transactionId)
})

test('minting with a standard test card is refused with the list of cards that work', async (t) => {
  const provider = await openWallet(t)
  for (const card of [...testCards, '4111 1111 1111 1111']) {
    const { status, body } = await provider.mintA({ card })
    assert.equal(status, 400)
    assert.match(body.error.message, /standard test cards do not work with a wallet.*approve-amex/)
  }
})

// biome-ignore format: a table is read in columns.
const refusals: readonly (readonly [title: string, fields: object, message: string])[] = [
  [ 'an unknown card',                  { card: 'nobody' },                        'card: Use one of approve, decline, soft-decline, capture-decline, undefined, challenge, refund-decline, approve-mc, decline-mc, approve-amex.' ],
  [ 'an unknown fault',                 { fault: 'nothing' },                      'fault: There is no such fault; "gatehouse wallet matrix --list" lists all faults.' ],
  [ 'a fault of the other wallet',      { fault: 'b-sender' },                     'fault: b-sender is a fault of ECv2, ECv1 only.' ],
  [ 'a fault of the other version',     { fault: 'wrapped-key-32' },               'fault: wrapped-key-32 is a fault of RSA_v1 only.' ],
  [ 'a version of the other wallet',    { version: 'ECv2' },                       'version: Use EC_v1, RSA_v1.' ],
  [ 'a field that does not exist',      { pantype: 'DPAN' },                       'pantype: There is no such field.' ],
  [ 'an amount too precise',            { amount: '1.999' },                       'amount: Must be an amount of that currency, such as 1.99.' ],
  [ 'an unknown currency',              { currency: 'XXX' },                       'currency: Must be an ISO 4217 code.' ],
  [ 'a key that is not there',          { key: 'next' },                           'key: The recipient has no next key.' ],
  [ 'a key of the wrong kind',          { version: 'RSA_v1' },                     'key: The current key does not fit RSA_v1.' ],
  [ 'no recipient',                     { recipient: null },                       'recipient: Must be an object.' ],
  [ 'a damaged key',                    { recipient: { keys: [{ state: 'current', spki: 'AAAA' }] } }, 'recipient.keys: spki is not a public key in base64.' ],
  [ 'major units that are minor units', { fault: 'amount-major', amount: '100', currency: 'JPY' },     'fault: amount-major needs an amount that differs in major units.' ],
  [ 'a short transaction id',           { transaction_id: 'ab' },                  'transaction_id: This value is not valid.' ],
]

for (const [title, fields, message] of refusals) {
  test(`${title} is refused with an explanation`, async (t) => {
    const { status, body } = await (await openWallet(t)).mintA(fields)
    assert.equal(status, 400)
    assert.equal(body.error.message, message)
  })
}

test('a wallet A token has the requested id and application data', async (t) => {
  const provider = await openWallet(t)
  const id = 'AB'.repeat(32)
  const { body } = await provider.mintA({ transaction_id: id, application_data: 'session 1' })
  const { transactionId, applicationData } = headerOf(body.token)
  assert.equal(transactionId, id.toLowerCase())
  assert.equal(applicationData, sha256('session 1').toString('hex'))
})

test('a wallet B token is valid for 900 seconds, or as long as requested', async (t) => {
  const provider = await openWallet(t)
  for (const [fields, seconds] of [
    [{}, 900],
    [{ expires_in: 60 }, 60],
  ] as const) {
    const { facts } = (await provider.mintB(fields)).body
    assert.equal((Date.parse(facts.expires_at) - provider.clock.moment) / 1000, seconds)
  }
})

test('a wallet A token is signed at the requested number of seconds from now', async (t) => {
  const provider = await openWallet(t)
  const signedAt = async (fields: object) => Date.parse((await provider.mintA(fields)).body.facts.signed_at)
  assert.equal((await signedAt({ signed_at: -90 })) - (await signedAt({})), -90_000)
})

test('for a merchant without a key the token is encrypted for an unknown key, as if the provider decrypts', async (t) => {
  const provider = await openWallet(t)
  const { status, body } = await provider.mintA({ recipient: { ...recipient, keys: [] } })
  assert.equal(status, 200)
  assert.notEqual(body.facts.public_key_hash, (await provider.mintA()).body.facts.public_key_hash)
})

test('tampered is an alias of data-flip', async (t) => {
  const provider = await openWallet(t)
  const { body } = await provider.mintA({ fault: 'tampered' })
  assert.deepEqual(body.expect.card, {
    http: 400,
    error_code: 250003,
    error_message: 'The payment token signature has expired',
    check: 'A9',
  })
})

test('a used message id comes with the token that used it', async (t) => {
  const provider = await openWallet(t)
  const { body } = await provider.mintB({ fault: 'b-message-id' })
  assert.equal(body.before.length, 1)
  assert.notEqual(messageOf(body.before[0] ?? '').ephemeralPublicKey, messageOf(body.token).ephemeralPublicKey)
})

test('cards and faults are listed, each once', async (t) => {
  const provider = await openWallet(t)
  const { cards } = (await provider.get('/wallet/cards')).body
  assert.deepEqual(
    cards.map(({ name }) => name),
    simulatorCards.map(({ name }) => name),
  )
  const { faults } = (await provider.get('/wallet/faults')).body
  assert.equal(faults.length, 82)
  assert.deepEqual(new Set(faultRows.map(({ number }) => number)), new Set(Array.from({ length: 81 }, (_, i) => i + 1)))
  assert.equal(new Set(faultRows.map(({ fault }) => fault)).size, 82)
})

test('every card has two valid numbers of its own, none of them a standard test card', () => {
  const numbers = simulatorCards.flatMap(({ dpan, fpan }) => [dpan, fpan])
  assert.equal(new Set(numbers).size, numbers.length)
  for (const number of numbers) {
    assert.ok(isCardNumber(number) && !testCards.includes(number))
    assert.equal(
      cardByNumber(number)?.panType === 'DPAN',
      simulatorCards.some(({ dpan }) => dpan === number),
    )
  }
})

test('the authority publishes its root, both key lists in the wallet provider’s format, and the address of the session service', async (t) => {
  const provider = await openWallet(t)
  const { body } = await provider.get('/wallet/authority')
  assert.match(body.root_pem, /^-----BEGIN CERTIFICATE-----\n/)
  assert.match(body.session.url, /^https:\/\/127\.0\.0\.1:\d+\//)
  assert.match(body.session.ca_pem, /^-----BEGIN CERTIFICATE-----\n/)
  for (const environment of ['TEST', 'PRODUCTION'] as const) {
    const { keys } = body.wallet_b[environment]
    assert.deepEqual(
      keys.map(({ protocolVersion }) => protocolVersion),
      ['ECv1', 'ECv2'],
    )
    for (const { keyExpiration } of keys) assert.ok(Number(keyExpiration) > provider.clock.moment)
  }
  const expired = (await provider.get('/wallet/authority?roots=expired')).body.wallet_b.TEST.keys
  for (const { keyExpiration } of expired) assert.ok(Number(keyExpiration) < provider.clock.moment)
})

test('certificates are issued only for keys', async (t) => {
  const provider = await openWallet(t)
  const request = { kind: 'identity', merchant_identifier: 'merchant.x', spki: processingKey.spki.toString('base64') }
  assert.equal((await provider.post('/wallet/certificates', request)).status, 200)
  for (const wrong of [{ kind: 'other' }, { merchant_identifier: '' }, { spki: 'AAAA' }, { spki: 1 }]) {
    assert.equal((await provider.post('/wallet/certificates', { ...request, ...wrong })).status, 400)
  }
})

test('a rotation must name what is rotated', async (t) => {
  const provider = await openWallet(t)
  assert.equal((await provider.post('/wallet/authority/rotate', { what: 'leaf', overlap_seconds: 5 })).status, 200)
  assert.equal((await provider.post('/wallet/authority/rotate', { what: 'root' })).status, 400)
  assert.equal((await provider.post('/wallet/authority/rotate', { what: 'leaf', overlap_seconds: -1 })).status, 400)
})

test('several sandboxes with one authority folder act as one wallet provider', async (t) => {
  const shared = await temporaryFolder(t)
  const roots = await Promise.all(
    [1, 2].map(async () => {
      const wallet = await Wallet.open(await temporaryFolder(t), () => 1_800_000_000_000, shared)
      t.after(() => wallet.close())
      return (await wallet.authority.chain()).root.der.toString('hex')
    }),
  )
  assert.equal(roots[0], roots[1])
})
