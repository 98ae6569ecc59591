import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Issuers, readIssuers } from './issuer.ts'

const read = (text: string): Issuers => {
  const reading = readIssuers(text)
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.issuers
}

test('the longest prefix that fits names the issuer', () => {
  const issuers = read('bin,country,bank\n411111,US,First Bank\n41111111,DE,"Bank, Zweite"\n')
  assert.deepEqual(issuers.of('4111111111111111'), { country: 'DE', bank: 'Bank, Zweite' })
  assert.deepEqual(issuers.of('4111112211111111'), { country: 'US', bank: 'First Bank' })
  assert.equal(issuers.of('5555555555554444'), null)
  assert.equal(issuers.size, 2)
})

test('country and bank may each be unknown, and quotes inside a bank are doubled', () => {
  const issuers = read('BIN,Country,Bank\r\n411111,,"The ""Old"" Bank"\r\n422222,FR,\r\n\r\n')
  assert.deepEqual(issuers.of('4111111111111111'), { country: null, bank: 'The "Old" Bank' })
  assert.deepEqual(issuers.of('4222221111111111'), { country: 'FR', bank: null })
})

test('an optional fourth column gives the funding of cards', () => {
  const issuers = read('bin,country,bank,funding\n411111,US,First Bank,debit\n422222,FR,,\n')
  assert.deepEqual(issuers.of('4111111111111111'), { country: 'US', bank: 'First Bank', funding: 'debit' })
  assert.deepEqual(issuers.of('4222221111111111'), { country: 'FR', bank: null })
})

test('a missing header and each unreadable line are reported', () => {
  assert.deepEqual(readIssuers('411111,US,Bank'), {
    ok: false,
    faults: ['The first line must be the header "bin,country,bank" or "bin,country,bank,funding".'],
  })
  const reading = readIssuers('bin,country,bank\n41111,US,Bank\n411111,us,Bank\n411111,US,Bank\n')
  assert.ok(!reading.ok)
  assert.deepEqual(
    reading.faults.map((fault) => fault.slice(0, 7)),
    ['Line 2 ', 'Line 3 '],
  )
})
