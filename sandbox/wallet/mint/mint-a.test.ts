// The test vectors of chapter 40 §21.
import assert from 'node:assert/strict'
import { createCipheriv, createHash } from 'node:crypto'
import { test } from 'node:test'
import { newRoot } from '../certificates/chain.ts'
import { defaultSignature } from '../certificates/cms.ts'
import { newRsaPair, scalarPair, sha256 } from '../key-pair.ts'
import { mintA, type PlanA } from './mint-a.ts'

const keyPairFor = (label: string) => scalarPair(sha256(label))
const key = keyPairFor('gatehouse processing key 1')
const signer = await newRoot(new Date('2027-01-01T00:00:00Z'))

const plan: PlanA = {
  version: 'EC_v1',
  plaintext:
    '{"applicationPrimaryAccountNumber":"4000001000000018","applicationExpirationDate":"311231","currencyCode":"840","transactionAmount":199,"deviceManufacturerIdentifier":"040010030273","paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"AAECAwQFBgcICQoLDA0ODxAREhM=","eciIndicator":"7"}}',
  recipient: key,
  named: key,
  merchantIdentifier: 'merchant.example.gatehouse',
  ephemeral: keyPairFor('gatehouse ephemeral key 1'),
  contentKey: Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
  iv: Buffer.alloc(16),
  transactionId: sha256('gatehouse transaction 1'),
  applicationData: null,
  paymentMethod: {},
  signature: { ...defaultSignature, certificates: [signer], signer, signedAt: new Date('2027-01-01T00:00:00Z') },
}

test('an EC_v1 token from the vector’s keys has the vector’s content, key hash and id', () => {
  const { data, header } = mintA(plan).paymentData
  assert.equal(data, knownData)
  assert.equal(header['publicKeyHash'], 'GHUGiTuRYQcQq/W4evVN7jRUCmr67irq0VlGSphFIQ4=')
  assert.equal(
    header['ephemeralPublicKey'],
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEchSQwAxRvZpwy+/HOU08iHMGjogWqV5ZCNQYgctT1uhizS+aEyqRoVk7lEN2RzsS/izyCqFNzv471vkSQSd7oQ==',
  )
  assert.equal(header['transactionId'], 'ccbfa0fd1416f99e696cd2a137d6751d8f0e62fd9d5c3b20d4c5680da13a3c84')
})

test('the signature covers the vector’s digest, with and without application data', () => {
  const without = Buffer.from(mintA(plan).paymentData.signature, 'base64')
  assert.ok(without.includes('2220481ff3690b783a6aa9f14e43b391112309738219fe0270f5e35c27a0a9d7', 0, 'hex'))
  const applicationData = sha256('gatehouse session 1')
  const bound = Buffer.from(mintA({ ...plan, applicationData }).paymentData.signature, 'base64')
  assert.ok(bound.includes('95b2532cdca7b79f1d34f67115e083aa953af62ffcc979351adb99942e3082f7', 0, 'hex'))
})

test('RSA_v1 content under the vector’s key has the vector’s tag and hash', async () => {
  const recipient = await newRsaPair()
  const token = mintA({ ...plan, version: 'RSA_v1', recipient, named: recipient })
  const data = Buffer.from(token.paymentData.data, 'base64')
  assert.equal(data.subarray(-16).toString('hex'), '2604b7f81aafd2362e30ac20abd71e48')
  assert.equal(
    createHash('sha256').update(data).digest('hex'),
    'b6f1424d6d38d99e81f2206e07f4710ae225e6c7d6ab655f1e98b64e72ef2db5',
  )
})

test('the content is the AES-256-GCM result for the vector’s key', () => {
  const cipher = createCipheriv(
    'aes-256-gcm',
    Buffer.from('6b2880ccb2a51e6ef5b302421c2c3494aec9f18ac64ee70ca145709e96dcf9a9', 'hex'),
    Buffer.alloc(16),
  )
  const expected = Buffer.concat([cipher.update(plan.plaintext), cipher.final(), cipher.getAuthTag()])
  assert.equal(mintA(plan).paymentData.data, expected.toString('base64'))
})

const knownData =
  '9Iql1OqBKBWNkr2DA0DUrRDWC0JmZ+lncEDWTs+RN+BeibVSoRscTQLwbxDjGIyKwKriIko7mLd4psdZBsF5jv+TlfsFdUzbytLTysGlW65/VPDwYbuhtozfNMCkZmvYcDkdhJYFghadNV0+g/xpYwM1JT3q0a3fKx6IXOr4/nvxNw+ZoGcJYjQH0JKIruMxkGNQ+e588qE9zS7CMjEBvNYhrzQrdgvRGbFWPeek6/V+77sbNacMQqEgjnn4Gut36EEa5kipAXsqRrf3ot5N/kdtLH1x6masNZ6Zat4tcWBqaW6uqylEgBQU+e5uu32RkZ9CY+ICyP9EP+wOJm7j3PsZyKHA1tMavHcoE5/zZeyBDDa6E26tcSJUcfIc+wnsWxSwB9Ai1FiMCpLaHyidJRgdK2g9BNGDZenEPncecg=='
