import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { readConfig } from '../../process/config.ts'
import { readRefundLimits } from '../payments/refund-limit.ts'
import { byAddress, byEmail, waitSeconds } from './lock-out.ts'
import { dummyHash, hashPassword, isOutdated, readablePassword, verifyPassword } from './password.ts'

describe('passwords', () => {
  test('a hash verifies only its own password, in any Unicode form', async () => {
    const hash = await hashPassword(secret('caf\u00e9 au lait 12'), randomBytes(16))
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(await verifyPassword(secret('cafe\u0301 au lait 12'), hash), true)
    assert.equal(await verifyPassword(secret('cafe au lait 12'), hash), false)
    assert.equal(isOutdated(hash), false)
  })

  test('a published argon2id vector in PHC format verifies and counts as outdated', async () => {
    // From the reference implementation: -t 2 -m 16 -p 1, password "password", salt "somesalt".
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    assert.equal(await verifyPassword(secret('password'), hash), true)
    assert.equal(isOutdated(hash), true)
  })

  test('hashing a password twice gives two hashes, and an invalid hash verifies nothing', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => hashPassword(secret('the same thing'), randomBytes(16))))
    assert.notEqual(one, other)
    for (const text of ['', 'plain', dummyHash, '$argon2id$v=19$m=9999999,t=1,p=1$AAAA$AAAA'])
      assert.equal(await verifyPassword(secret(text), text), false)
  })

  test('a generated password can be read out and is never the same', () => {
    const random = (bytes: number) => randomBytes(bytes).toString('hex')
    const passwords = new Set(Array.from({ length: 100 }, () => readablePassword(random).reveal()))
    assert.equal(passwords.size, 100)
    for (const password of passwords) assert.match(password, /^[a-hj-km-np-z2-9]{5}(-[a-hj-km-np-z2-9]{5}){3}$/)
  })

  test('PCI DSS 8.3.6: a generated password has letters and digits, whatever the random bytes', () => {
    // 64 bytes of 0 give the first letter twenty times; 64 bytes of 23 give the first digit twenty times.
    const randomHex = ['00'.repeat(64), '17'.repeat(64), `0017${'0a'.repeat(62)}`]
    const password = readablePassword(() => randomHex.shift() ?? '')
    assert.match(password.reveal(), /^a2/)
  })
})

test('PCI DSS 8.3.4: the wait after failures begins late and doubles, and ten failures lock for half an hour', () => {
  const rules = { ...readConfig('all', {}).signIn }
  const waits = [4, 5, 6, 7, 9, 10, 11, 50].map((failures) => waitSeconds(failures, byEmail(rules)))
  assert.deepEqual(waits, [0, 30, 60, 120, 480, 1800, 3600, 3600])
  assert.deepEqual(
    [29, 30].map((failures) => waitSeconds(failures, byAddress(rules))),
    [0, 1800],
  )
  const strict = { ...rules, lockOutFailures: 3, lockOutMinutes: 60 }
  assert.deepEqual(
    [2, 3].map((failures) => waitSeconds(failures, byEmail(strict))),
    [0, 3600],
  )
})

describe('refund limits', () => {
  const none = new Map()

  test('a currency has its own limit or the default one, in its minor units', () => {
    const limits = readRefundLimits('EUR:500,*:1000')
    assert.equal(limits?.of('EUR', none), 50_000n)
    assert.equal(limits?.of('USD', none), 100_000n)
    assert.equal(limits?.of('JPY', none), 1000n)
    assert.equal(limits?.of('KWD', none), 1_000_000n)
  })

  test('minor units of crypto currencies follow the operator’s table', () => {
    const limits = readRefundLimits('TOKEN:2')
    assert.equal(limits?.of('TOKEN', new Map([['TOKEN', 4]])), 20_000n)
  })

  test('an empty setting limits nothing, and an invalid one is reported', () => {
    assert.equal(readRefundLimits('')?.of('EUR', none), null)
    assert.equal(readRefundLimits('EUR:500')?.of('USD', none), null)
    for (const text of ['EUR', 'EUR:', 'EUR:-5', 'eur:5', 'EUR:5,']) assert.equal(readRefundLimits(text), null, text)
  })
})
