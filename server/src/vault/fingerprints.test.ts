import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { fingerprints } from './fingerprints.ts'

/** Computed by another program from the description: HKDF-SHA-256 without salt, 32 bytes, then HMAC-SHA-256. */
const known = '7dab76e544cab85bce4ca14eb7e7f685f423a5849fe74fa57549d5abf901b50c'

test('fingerprints are the same in every release, so that stored cards are found again', () => {
  const instanceKey = createSecretKey(Buffer.from(Array.from({ length: 32 }, (_, index) => index)))
  const of = fingerprints(instanceKey, 10)
  assert.equal(of({ scope: 'merchant-1', purpose: 'card' }, secret('4111111111111111')), known)
})
