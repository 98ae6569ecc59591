import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valuesOf } from './body-values.ts'
import { guardAddress, moneyFault } from './guard.ts'
import { acquirerRows } from './table/acquirers.ts'

const row = acquirerRows.find(({ name }) => name === 'nmi') ?? assert.fail('nmi')
const request = (url: string, body = '') => ({ method: 'POST', url, headers: {}, body: Buffer.from(body) })

test('only the hosts of the row are sent to, by the mode of the MID', () => {
  const known = guardAddress(request('https://secure.nmi.com/api/transact.php?a=1'), row, 'test')
  assert.deepEqual(known, { kind: 'passed', origin: 'https://secure.nmi.com', path: '/api/transact.php?a=1' })
  for (const url of [
    'https://secure.nmi.com.example.com/api/transact.php',
    'http://secure.nmi.com/api/transact.php',
    'https://user@secure.nmi.com/api/transact.php',
    'https://secure.nmi.com:8443/api/transact.php',
    'https://169.254.169.254/latest',
    'not an address',
  ])
    assert.equal(guardAddress(request(url), row, 'test').kind, 'stopped', url)
})

test('no acquirer of the table has a test host for live payments', () => {
  for (const { name, hosts } of acquirerRows)
    for (const origin of hosts.live) assert.doesNotMatch(origin, /sandbox|stag|demo|\{/, name)
})

test('a request is stopped whose amount or currency is not ours', () => {
  const money = { amountMinor: 1000n, currency: 'EUR' }
  const readBack = { amount: 'amount', unit: 'decimal', currency: 'currency' } as const
  const fault = (body: string) => moneyFault(request('', body), readBack, money)
  assert.equal(fault('amount=10.0&currency=EUR'), null)
  assert.equal(fault('amount=10.00&currency=eur'), null)
  assert.match(fault('amount=1000&currency=EUR') ?? '', /another amount/)
  assert.match(fault('amount=10.01&currency=EUR') ?? '', /another amount/)
  assert.match(fault('total=10.00&currency=EUR') ?? '', /another amount/)
  assert.match(fault('amount=10.00&currency=USD') ?? '', /another currency/)
})

test('without a place to look, only currencies with two decimals are sent', () => {
  assert.equal(moneyFault(request(''), undefined, { amountMinor: 1000n, currency: 'EUR' }), null)
  assert.match(moneyFault(request(''), undefined, { amountMinor: 1000n, currency: 'JPY' }) ?? '', /JPY/)
})

test('the amount can be read back from the charges of at least ten acquirers', () => {
  assert.ok(acquirerRows.filter(({ readBack }) => readBack.sale !== undefined).length >= 10)
})

test('values are read from JSON, forms, multipart forms and XML', () => {
  const values = (type: string, text: string) =>
    Object.fromEntries(valuesOf({ headers: { 'content-type': type }, body: Buffer.from(text) }))
  assert.deepEqual(values('application/json', '{"a":{"b":[1234567890123456789]},"c":null}'), {
    'a.b.0': '1234567890123456789',
  })
  assert.deepEqual(values('application/x-www-form-urlencoded', 'a=1&x=%3Cn%3E2%3C%2Fn%3E'), { a: '1', 'x/n': '2' })
  const part = (name: string, value: string) =>
    `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  assert.deepEqual(values('multipart/form-data; boundary=B', `${part('a', '1')}${part('b', '2')}--B--`), {
    a: '1',
    b: '2',
  })
  assert.deepEqual(values('text/xml', '<o><amount value="10" currencyCode="EUR"/><n>3</n></o>'), {
    'amount@value': '10',
    'amount@currencyCode': 'EUR',
    n: '3',
  })
})
