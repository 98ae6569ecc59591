import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#server/process/config.ts'

const walletsOf = (settings: NodeJS.ProcessEnv) => readConfig('all', settings).wallets

test('a sandbox instance trusts its own authority by default, a live one the wallet providers', () => {
  assert.equal(walletsOf({}).trustSource, 'sandbox authority')
  assert.equal(walletsOf({ WALLET_TRUST: 'wallet maker' }).trustSource, 'wallet maker')
  assert.equal(walletsOf({ GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: '{}' }).trustSource, 'wallet maker')
})

test('a token is valid for 5 minutes, or from 1 to 60 by setting', () => {
  assert.equal(walletsOf({}).tokenMinutes, 5)
  for (const minutes of [1, 60])
    assert.equal(walletsOf({ WALLET_TOKEN_MINUTES: String(minutes) }).tokenMinutes, minutes)
  for (const minutes of ['0', '61', 'five'])
    assert.throws(() => walletsOf({ WALLET_TOKEN_MINUTES: minutes }), /WALLET_TOKEN_MINUTES/)
})

test('denied serials are read in any notation of the number', () => {
  const { deniedSerials } = walletsOf({ WALLET_DENIED_SERIALS: '3,00AB,0123' })
  assert.deepEqual([...deniedSerials], ['03', '00ab', '0123'])
  assert.throws(() => walletsOf({ WALLET_DENIED_SERIALS: '3;4' }), /WALLET_DENIED_SERIALS/)
})
