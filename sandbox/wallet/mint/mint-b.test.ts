// The test vectors of chapter 40 §21.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scalarPair, sha256 } from '../key-pair.ts'
import { encodeSignedBytes, encryptMessage, mintB, type PlanB, SENDER } from './mint-b.ts'

const keyPairFor = (label: string) => scalarPair(sha256(label))
const other = keyPairFor('any other key')

const plan: PlanB = {
  version: 'ECv2',
  plaintext:
    '{"gatewayMerchantId":"7b6f6a52-1f6e-11ee-be56-0242ac120002","messageExpiration":"1893456000000","messageId":"gatehouse-message-1","paymentMethod":"CARD","paymentMethodDetails":{"authMethod":"CRYPTOGRAM_3DS","pan":"4000001000000018","expirationMonth":12,"expirationYear":2031,"cryptogram":"AAECAwQFBgcICQoLDA0ODxAREhM=","eciIndicator":"07"}}',
  recipientKey: keyPairFor('gatehouse wallet B key 1'),
  recipient: 'gateway:gatehouse',
  sender: SENDER,
  ephemeral: keyPairFor('gatehouse wallet B ephemeral 1'),
  root: other,
  intermediate: other,
  intermediateExpiresAt: new Date('2030-01-01T00:00:00Z'),
  message: (message) => message,
}

// biome-ignore format: a table is read in columns.
const cases = [
  // version  tag                                             SHA-256 of the encrypted message                                      SHA-256 of what is signed
  [ 'ECv1',  'L2CZUgGZSi9jl4HeLBSdR4Puosc6NXHaE/uQRsi9uFg=', '68fc9b010875a8be9bb607efee17b37015d585b48798689f8a3ed2c319c2ed45', '8692d6650af00cb5649b33e7a4d8664f6ec0e3f86faf11460429b78fcd338a1b' ],
  [ 'ECv2',  'Gm5ymnASl4SGMJOJinDIKetUnI/mffPY5Y1NidZKeYg=', 'b3441a1d203f6591f795ec80510bcd886ba2a15044f25046db17b6ec0492ecd2', 'f4da44ff99c42f1fedb25f283089528264366408363bc9ef6e78023c58357396' ],
] as const

for (const [version, tag, encrypted, signed] of cases) {
  test(`${version} with the vector’s keys gives the vector’s tag, message and signed bytes`, () => {
    const message = encryptMessage({ ...plan, version })
    assert.equal(message.tag, tag)
    assert.equal(sha256(Buffer.from(message.encryptedMessage, 'base64')).toString('hex'), encrypted)
    assert.equal(
      message.ephemeralPublicKey,
      'BJYWwObtbgfDSVyv9XQTfAgpkZoCFSHwl7eEZxrqCrNyG4aBUDQYt5+raVBNfqPr6qAuPlNjaz6uMVGeAJsM41E=',
    )
    const { signedMessage } = mintB({ ...plan, version })
    const bytes = encodeSignedBytes('Google', 'gateway:gatehouse', version, signedMessage)
    assert.equal(sha256(bytes).toString('hex'), signed)
    if (version === 'ECv2') {
      assert.equal(
        bytes.toString('hex', 0, 43),
        '06000000476f6f676c6511000000676174657761793a67617465686f757365040000004543763284020000',
      )
    }
  })
}

test('ECv1 has exactly three members, ECv2 exactly four', () => {
  assert.deepEqual(Object.keys(mintB({ ...plan, version: 'ECv1' })).length, 3)
  assert.deepEqual(Object.keys(mintB(plan)).length, 4)
})
