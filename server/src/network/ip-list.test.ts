import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { allowsAddress, callerAddress, countedAddress, type IpList, parseIpList } from './ip-list.ts'

function list(...texts: readonly string[]): IpList {
  const reading = parseIpList(texts)
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.list
}

describe('a list of addresses', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [entry: string, address: string, included: boolean])[] = [
    // entry                      address                    included
    ['203.0.113.7',               '203.0.113.7',             true ],
    ['203.0.113.7',               '203.0.113.8',             false],
    ['203.0.113.0/24',            '203.0.113.255',           true ],
    ['203.0.113.0/24',            '203.0.114.0',             false],
    ['10.0.0.0/9',                '10.127.255.255',          true ],
    ['10.0.0.0/9',                '10.128.0.0',              false],
    ['0.0.0.0/0',                 '198.51.100.1',            true ],
    ['0.0.0.0/0',                 '2001:db8::1',             false],
    ['2001:db8::/32',             '2001:db8:ffff::1',        true ],
    ['2001:db8::/32',             '2001:db9::1',             false],
    ['2001:DB8:0:0::7',           '2001:db8::7',             true ],
    ['::/0',                      '2001:db8::1',             true ],
    ['::/0',                      '203.0.113.7',             false],
    ['::/0',                      '::ffff:203.0.113.7',      false],
    ['203.0.113.0/24',            '::ffff:203.0.113.7',      true ],
    ['203.0.113.0/24',            '::ffff:cb00:7107',        true ],
    ['::ffff:203.0.113.0/120',    '203.0.113.7',             true ],
    ['::ffff:203.0.113.0/120',    '203.0.114.7',             false],
    ['::ffff:203.0.113.7',        '203.0.113.7',             true ],
    ['fe80::/10',                 'fe80::1%eth0',            true ],
    ['127.0.0.1',                 '0x7f.1',                  false],
    ['127.0.0.1',                 '127.1',                   false],
    ['127.0.0.1',                 'unknown',                 false],
    ['127.0.0.1',                 '',                        false],
  ]
  for (const [entry, address, included] of cases) {
    test(`${entry} ${included ? 'includes' : 'does not include'} ${address || 'no address'}`, () => {
      assert.equal(list(entry).includes(address), included)
    })
  }

  test('allows every caller if it is empty, though it includes no address', () => {
    const empty = list('', '  ')
    assert.equal(allowsAddress(empty, '203.0.113.7'), true)
    assert.equal(empty.includes('203.0.113.7'), false)
  })

  test('allows only the addresses that it includes otherwise', () => {
    const own = list(' 203.0.113.7 ', '2001:db8::/32')
    assert.equal(allowsAddress(own, '203.0.113.7'), true)
    assert.equal(allowsAddress(own, '2001:db8::9'), true)
    assert.equal(allowsAddress(own, '203.0.113.8'), false)
    assert.equal(allowsAddress(own, 'unknown'), false)
  })

  test('agrees with arithmetic on 32-bit numbers for every IPv4 range', () => {
    const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(32), fc.nat(0xffffffff), (base, bits, other) => {
        const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0
        const network = (base & mask) >>> 0
        const own = list(`${dotted(network)}/${bits}`)
        assert.equal(own.includes(dotted(other)), (other & mask) >>> 0 === network)
        assert.equal(own.includes(dotted(base)), true)
      }),
    )
  })
})

describe('an invalid entry is refused with a sentence', () => {
  const spelling = (text: string) =>
    `"${text}" is not an address or range; write one like 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.`

  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [entry: string, fault: string])[] = [
    ['203.0.113.300',     spelling('203.0.113.300')],
    ['203.0.113',         spelling('203.0.113')],
    ['010.0.0.1',         spelling('010.0.0.1')],
    ['0x7f.0.0.1',        spelling('0x7f.0.0.1')],
    ['example.com',       spelling('example.com')],
    ['fe80::1%eth0',      spelling('fe80::1%eth0')],
    ['10.0.0.0/8/8',      spelling('10.0.0.0/8/8')],
    ['10.0.0.0/33',       '"10.0.0.0/33" has no usable prefix length; write a number from 0 to 32 after the slash.'],
    ['10.0.0.0/',         '"10.0.0.0/" has no usable prefix length; write a number from 0 to 32 after the slash.'],
    ['10.0.0.0/255.0.0.0', '"10.0.0.0/255.0.0.0" has no usable prefix length; write a number from 0 to 32 after the slash.'],
    ['2001:db8::/129',    '"2001:db8::/129" has no usable prefix length; write a number from 0 to 128 after the slash.'],
    ['10.1.2.3/8',        '"10.1.2.3/8" names a single address with a prefix length; write 10.0.0.0/8 for the range or 10.1.2.3 for the address.'],
    ['2001:db8::1/32',    '"2001:db8::1/32" names a single address with a prefix length; write 2001:db8::/32 for the range or 2001:db8::1 for the address.'],
  ]
  for (const [entry, fault] of cases) {
    test(entry, () => assert.deepEqual(parseIpList(['203.0.113.7', entry]), { ok: false, faults: [fault] }))
  }

  test('and all faults of a list are reported together', () => {
    const reading = parseIpList(['x', '203.0.113.7', 'y'])
    assert.ok(!reading.ok)
    assert.equal(reading.faults.length, 2)
  })

  test('a list that is too long is refused entirely', () => {
    const reading = parseIpList(Array.from({ length: 1001 }, () => '203.0.113.7'))
    assert.deepEqual(reading, { ok: false, faults: ['A list has at most 1000 entries, not 1001.'] })
  })

  test('no text makes the parser throw', () => {
    fc.assert(fc.property(fc.array(fc.string()), (texts) => void parseIpList(texts)))
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f:.]{0,40}(\/[0-9]{0,4})?$/), (text) => void parseIpList([text])),
      { numRuns: 2000 },
    )
  })
})

describe('the address of a caller', () => {
  const none = list()
  const proxies = list('10.0.0.0/8', '2001:db8:f::/48')
  const from = (peer: string | undefined, forwarded?: string | string[]) => ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : Object.fromEntries([['x-forwarded-for', forwarded]]),
  })

  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [title: string, peer: string | undefined, forwarded: string | undefined, trusted: IpList, address: string])[] = [
    ['is the peer',                                          '203.0.113.7',        undefined,                          none,    '203.0.113.7'],
    ['is the peer in IPv4 form on a dual-stack socket',      '::ffff:203.0.113.7', undefined,                          none,    '203.0.113.7'],
    ['is not what a header claims when no proxy is trusted', '203.0.113.7',        '198.51.100.1',                     none,    '203.0.113.7'],
    ['is not what a stranger claims',                        '203.0.113.7',        '198.51.100.1',                     proxies, '203.0.113.7'],
    ['is what a trusted proxy reports',                      '10.0.0.1',           '198.51.100.1',                     proxies, '198.51.100.1'],
    ['is what a proxy in IPv4-mapped form reports',          '::ffff:10.0.0.1',    '198.51.100.1',                     proxies, '198.51.100.1'],
    ['is the right-most that is no proxy',                   '10.0.0.1',           '1.1.1.1, 198.51.100.1, 10.0.0.2',  proxies, '198.51.100.1'],
    ['passes proxies of both families',                      '2001:db8:f::1',      '2001:db8::9,10.0.0.2',             proxies, '2001:db8::9'],
    ['is the outermost proxy when all are ours',             '10.0.0.1',           '10.0.0.3, 10.0.0.2',               proxies, '10.0.0.3'],
    ['is the proxy when it reports nothing',                 '10.0.0.1',           undefined,                          proxies, '10.0.0.1'],
    ['is the proxy when it reports no address',              '10.0.0.1',           '198.51.100.1, unknown',            proxies, '10.0.0.1'],
    ['is not found behind an empty hop',                     '10.0.0.1',           '198.51.100.1, ',                   proxies, '10.0.0.1'],
    ['is read without the port of IPv4',                     '10.0.0.1',           '198.51.100.1:4711',                proxies, '198.51.100.1'],
    ['is read without the port of IPv6',                     '10.0.0.1',           '[2001:db8::9]:4711',               proxies, '2001:db8::9'],
    ['is written the usual way',                             '10.0.0.1',           '2001:DB8:0:0:0:0:0:9',             proxies, '2001:db8::9'],
    ['is unknown when the connection is gone',               undefined,            '198.51.100.1',                     proxies, 'unknown'],
  ]
  for (const [title, peer, forwarded, trusted, address] of cases) {
    test(title, () => assert.equal(callerAddress(from(peer, forwarded), trusted), address))
  }

  test('is read from a repeated header as from a single one', () => {
    assert.equal(callerAddress(from('10.0.0.1', ['1.1.1.1', '198.51.100.1, 10.0.0.2']), proxies), '198.51.100.1')
  })
})

test('attempts count per IPv4 address, and per /64 network for IPv6', () => {
  assert.equal(countedAddress('203.0.113.7'), '203.0.113.7')
  assert.equal(countedAddress('2001:db8:1:2::1'), countedAddress('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  assert.notEqual(countedAddress('2001:db8:1:2::1'), countedAddress('2001:db8:1:3::1'))
  assert.equal(countedAddress('unknown'), 'unknown')
})
