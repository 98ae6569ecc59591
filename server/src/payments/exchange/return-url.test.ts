import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { InMemoryKeys } from '../../vault/testing/in-memory-keys.ts'
import { openVault } from '../../vault/vault.ts'
import { isKeyValid, redirectPageUrl } from './return-url.ts'

const payment = { merchantId: '01890000-0000-7000-8000-000000000001', id: '01890000-0000-7000-8000-00000000000a' }
const ring = { current: 'k1', keys: new Map([['k1', createSecretKey(Buffer.alloc(32, 1))]]) }

test('the address of a redirect page is valid in every release, because its key is derived from an unchanged text', async () => {
  const vault = await openVault({ ring, keys: new InMemoryKeys(), clock: { now: () => new Date('2026-03-01') } })
  await vault.prepareScope(payment.merchantId)
  const ofEarlierRelease = vault
    .fingerprint(payment.merchantId, 'card', secret(`return storage ${payment.id}`))
    .slice(0, 32)
  assert.equal(
    redirectPageUrl({ vault, publicUrl: () => 'https://pay.example.com' }, payment),
    `https://pay.example.com/redirect/${payment.id}/${ofEarlierRelease}`,
  )
  assert.ok(await isKeyValid({ vault }, payment, { purpose: 'redirect-page', key: ofEarlierRelease }))
  assert.ok(!(await isKeyValid({ vault }, payment, { purpose: 'redirect', key: ofEarlierRelease })))
})
