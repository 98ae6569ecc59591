import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { passwordFault } from './password-quality.ts'

const ann = { email: 'ann.miller@example.com', name: 'Ann Miller' }
const fault = (password: string): string | null => passwordFault(password, ann, 12)

describe('a chosen password', () => {
  test('PCI DSS 8.3.6: it has at least twelve characters, with letters and digits', () => {
    assert.equal(fault('a reasonable choice 7'), null)
    assert.equal(fault('short1word2'), 'Use at least 12 characters.')
    assert.equal(fault('only letters here'), 'Use both letters and digits.')
    assert.equal(fault('8206 7319 4450 21'), 'Use both letters and digits.')
    assert.equal(fault(`x1${'yz'.repeat(128)}`), 'Use at most 256 characters.')
    assert.equal(passwordFault('a reasonable choice 7', ann, 24), 'Use at least 24 characters.')
  })

  test('letters and digits of other scripts count', () => {
    assert.equal(fault('голубая чашка ٧'), null)
  })

  for (const password of ['abcdeabcdeab', 'abcde1abcde1', 'xy7xy7xy7xy7xy', 'Kettle42Kettle42'])
    test(`PCI DSS 8.3.6: ${password} is refused, the same characters over and over`, () => {
      assert.ok(fault(password) !== null)
    })

  test('a repetition is reported if it is the only fault', () => {
    assert.equal(fault('abcde1abcde1'), 'Do not repeat the same few characters.')
    assert.equal(fault('kettle 42 kettle 43'), null)
  })

  for (const password of [
    'abcdefgh12345678',
    'qwertyuiop1234',
    '1qwertyuiopasdf',
    '9876543210zyxw',
    'aaaaaaaaaaab1cde',
  ])
    test(`the sequence ${password} is refused`, () => {
      assert.ok(fault(password) !== null)
    })

  for (const password of [
    'Password2024!!',
    'P@ssw0rd123456',
    'Welcome2026-01',
    'letmein-1234567',
    'Administrator1!',
    'Summer2026Summer',
  ])
    test(`the common password ${password} is refused`, () => {
      assert.ok(fault(password) !== null)
    })

  test('a password that contains the name or the e-mail address is refused', () => {
    for (const password of ['Miller-kettle-42', 'ann.miller 4711 x', 'x7 MILLER garden'])
      assert.equal(fault(password), 'Do not use your name or e-mail address.')
  })
})
