import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { byAddress, byEmail, waitSeconds } from './lock-out.ts'
import { hashPassword, isOutdated, nobodysHash, passwordFault, readablePassword, verifyPassword } from './password.ts'
import { readRefundLimits } from './refund-limit.ts'

describe('passwords', () => {
  test('a hash verifies its own password alone, whatever form its letters have', async () => {
    const hash = await hashPassword(secret('caf\u00e9 au lait 12'), randomBytes(16))
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(await verifyPassword(secret('cafe\u0301 au lait 12'), hash), true)
    assert.equal(await verifyPassword(secret('cafe au lait 12'), hash), false)
    assert.equal(isOutdated(hash), false)
  })

  test('a published vector of argon2id in the PHC form verifies, and counts as outdated', async () => {
    // The reference implementation's: -t 2 -m 16 -p 1, password "password", salt "somesalt".
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    assert.equal(await verifyPassword(secret('password'), hash), true)
    assert.equal(isOutdated(hash), true)
  })

  test('the same password has two hashes, and what is no hash verifies nothing', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => hashPassword(secret('the same thing'), randomBytes(16))))
    assert.notEqual(one, other)
    for (const text of ['', 'plain', nobodysHash, '$argon2id$v=19$m=9999999,t=1,p=1$AAAA$AAAA'])
      assert.equal(await verifyPassword(secret(text), text), false)
  })

  test('a chosen password is long, varied and not the address', () => {
    assert.equal(passwordFault('a reasonable choice', 'ann@example.com'), null)
    assert.match(passwordFault('elevenchars', 'ann@example.com') ?? '', /At least 12/)
    assert.match(passwordFault('aaaaaaaaaaaaaaaa', 'ann@example.com') ?? '', /different/)
    assert.match(passwordFault('Alexandra-1234567', 'alexandra@example.com') ?? '', /e-mail/)
    assert.match(passwordFault('x'.repeat(257), 'ann@example.com') ?? '', /At most/)
  })

  test('one that is handed over can be read out, and is never the same', () => {
    const random = (bytes: number) => randomBytes(bytes).toString('hex')
    const made = new Set(Array.from({ length: 100 }, () => readablePassword(random).reveal()))
    assert.equal(made.size, 100)
    for (const password of made) assert.match(password, /^[a-hj-km-np-z2-9]{5}(-[a-hj-km-np-z2-9]{5}){3}$/)
  })
})

test('the wait after failures begins late, doubles and has an end', () => {
  const waits = [4, 5, 6, 7, 50].map((failures) => waitSeconds(failures, byEmail))
  assert.deepEqual(waits, [0, 30, 60, 120, 3600])
  assert.equal(waitSeconds(29, byAddress), 0)
})

describe('refund limits', () => {
  const none = new Map()

  test('a currency has its own, or that of all others, in its own minor units', () => {
    const limits = readRefundLimits('EUR:500,*:1000')
    assert.equal(limits?.of('EUR', none), 50_000n)
    assert.equal(limits?.of('USD', none), 100_000n)
    assert.equal(limits?.of('JPY', none), 1000n)
    assert.equal(limits?.of('KWD', none), 1_000_000n)
  })

  test('minor units of crypto money are those of the operator’s table', () => {
    const limits = readRefundLimits('TOKEN:2')
    assert.equal(limits?.of('TOKEN', new Map([['TOKEN', 4]])), 20_000n)
  })

  test('nothing given limits nothing, and what cannot be read is said', () => {
    assert.equal(readRefundLimits('')?.of('EUR', none), null)
    assert.equal(readRefundLimits('EUR:500')?.of('USD', none), null)
    for (const text of ['EUR', 'EUR:', 'EUR:-5', 'eur:5', 'EUR:5,']) assert.equal(readRefundLimits(text), null, text)
  })
})
