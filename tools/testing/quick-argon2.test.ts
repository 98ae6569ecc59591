import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { hashPassword, verifyPassword } from '#server/panel/access/password.ts'
import { useQuickArgon2 } from './quick-argon2.ts'

const salt = Buffer.alloc(16, 7)
const hash = (password: string, bytes = salt): Promise<string> => hashPassword(secret(password), bytes)

after(() => useQuickArgon2(true))

test('a password is verified against a quick hash, and no other password is', async () => {
  useQuickArgon2(true)
  const stored = await hash('correct horse')
  assert.equal(await verifyPassword(secret('correct horse'), stored), true)
  assert.equal(await verifyPassword(secret('correct house'), stored), false)
  assert.notEqual(await hash('correct horse', Buffer.alloc(16, 8)), stored)
})

test('the real hash is used again on request', async () => {
  useQuickArgon2(true)
  const quick = await hash('correct horse')
  useQuickArgon2(false)
  const real = await hash('correct horse')
  assert.notEqual(real, quick)
  assert.equal(await verifyPassword(secret('correct horse'), quick), false)
})
