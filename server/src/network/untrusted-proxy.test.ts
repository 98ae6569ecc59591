import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIpList } from './ip-list.ts'
import { noticeUntrustedProxy } from './untrusted-proxy.ts'

const from = (remoteAddress: string, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})

function noticed(proxies: readonly string[]) {
  const reading = parseIpList(proxies)
  assert.ok(reading.ok)
  const addresses: string[] = []
  return { addresses, look: noticeUntrustedProxy(reading.list, (address) => addresses.push(address)) }
}

test('a proxy that is not trusted is noticed once, by its address', () => {
  const { addresses, look } = noticed([])
  look(from('10.0.7.20'))
  assert.deepEqual(addresses, [])
  for (const payer of ['198.51.100.1', '198.51.100.2']) look(from('::ffff:10.0.7.20', payer))
  look(from('10.0.7.21', '198.51.100.3'))
  assert.deepEqual(addresses, ['10.0.7.20'])
})

test('a trusted proxy is not, whatever the header says', () => {
  const { addresses, look } = noticed(['10.0.7.0/24'])
  look(from('10.0.7.20', '198.51.100.1'))
  look(from('10.0.7.20', 'nonsense'))
  assert.deepEqual(addresses, [])
  look(from('10.0.8.1', '198.51.100.1'))
  assert.deepEqual(addresses, ['10.0.8.1'])
})
