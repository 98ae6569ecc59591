import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Agent, request } from 'undici'
import { AddressRefusedError, addressGuard, privateRange, type Resolve } from './address-guard.ts'

const strict = addressGuard({ allowPrivate: false }, 1000)

// biome-ignore format: a table is read in columns.
const refusedUrls = [
  // URL                                       why
  [ 'http://127.0.0.1/',                       'loopback' ],
  [ 'http://127.255.255.254/',                 'the whole of 127/8 is loopback' ],
  [ 'http://10.0.0.1/',                        'private' ],
  [ 'http://172.16.0.1/',                      'private' ],
  [ 'http://172.31.255.255/',                  'private' ],
  [ 'http://192.168.1.1/',                     'private' ],
  [ 'http://169.254.1.1/',                     'link-local' ],
  [ 'http://169.254.169.254/latest/',          'metadata' ],
  [ 'http://100.100.100.200/',                 'metadata in the shared range' ],
  [ 'http://192.0.0.192/',                     'metadata in the protocol range' ],
  [ 'http://168.63.129.16/',                   'metadata in a public range' ],
  [ 'http://100.64.0.1/',                      'carrier-grade NAT' ],
  [ 'http://0.0.0.0/',                         'this host' ],
  [ 'http://0.1.2.3/',                         'this network' ],
  [ 'http://192.0.2.1/',                       'documentation' ],
  [ 'http://198.18.0.1/',                      'benchmarks' ],
  [ 'http://224.0.0.1/',                       'multicast' ],
  [ 'http://240.0.0.1/',                       'reserved' ],
  [ 'http://255.255.255.255/',                 'broadcast' ],
  [ 'http://[::]/',                            'unspecified' ],
  [ 'http://[::1]/',                           'loopback' ],
  [ 'http://[fe80::1]/',                       'link-local' ],
  [ 'http://[fec0::1]/',                       'site-local' ],
  [ 'http://[fc00::1]/',                       'unique local' ],
  [ 'http://[fd00:ec2::254]/',                 'metadata' ],
  [ 'http://[ff02::1]/',                       'multicast' ],
  [ 'http://[2001:db8::1]/',                   'documentation' ],
  [ 'http://[100::1]/',                        'discard' ],
  [ 'http://[4000::1]/',                       'outside of global unicast' ],
  [ 'http://[::ffff:127.0.0.1]/',              'IPv4-mapped loopback' ],
  [ 'http://[::ffff:a00:1]/',                  'IPv4-mapped private' ],
  [ 'http://[::127.0.0.1]/',                   'IPv4-compatible loopback' ],
  [ 'http://[::ffff:0:10.0.0.1]/',             'IPv4-translated private' ],
  [ 'http://[::8.8.8.8]/',                     'IPv4-compatible, out of use' ],
  [ 'http://[64:ff9b::127.0.0.1]/',            'NAT64 loopback' ],
  [ 'http://[64:ff9b::a9fe:a9fe]/',            'NAT64 metadata' ],
  [ 'http://[64:ff9b:1::808:808]/',            'NAT64 of a local network' ],
  [ 'http://[2002:7f00:1::]/',                 '6to4 loopback' ],
  [ 'http://[2002:c0a8:101::1]/',              '6to4 private' ],
  [ 'http://[2001:0:7f00:1::]/',               'Teredo' ],
  [ 'http://2130706433/',                      'decimal loopback' ],
  [ 'http://0x7f000001/',                      'hexadecimal loopback' ],
  [ 'http://0x7f.1/',                          'short hexadecimal loopback' ],
  [ 'http://0177.0.0.1/',                      'octal loopback' ],
  [ 'http://017700000001/',                    'octal loopback' ],
  [ 'http://127.1/',                           'short loopback' ],
  [ 'http://127.0.0.1./',                      'loopback with a dot' ],
  [ 'http://%31%32%37.0.0.1/',                 'escaped loopback' ],
  [ 'http://１２７.0.0.1/',                    'loopback in wide digits' ],
  [ 'http://127。0。0。1/',                    'loopback with wide dots' ],
  [ 'http://shop.example@127.0.0.1/',          'loopback behind a user name' ],
  [ 'http://8.8.8.8@127.0.0.1:80/',            'loopback behind a public address' ],
  [ 'http:\\\\127.0.0.1\\',                    'loopback behind backslashes' ],
  [ 'http:127.0.0.1',                          'loopback without slashes' ],
  [ 'http://134744072/',                       'an unusual spelling of a public address' ],
  [ 'http://0x8.8.8.8/',                       'an unusual spelling of a public address' ],
  [ 'http://010.8.8.8/',                       'an unusual spelling of a public address' ],
  [ 'file:///etc/passwd',                      'not of the web' ],
  [ 'ftp://8.8.8.8/',                          'not of the web' ],
  [ 'gopher://127.0.0.1:6379/',                'not of the web' ],
  [ 'unix:/var/run/docker.sock',               'not of the web' ],
  [ '//8.8.8.8/',                              'not a URL' ],
  [ '',                                        'not a URL' ],
] as const

const allowedUrls = [
  'http://8.8.8.8/',
  'https://8.8.8.8:8443/notify?a=b',
  'http://user:word@8.8.8.8/',
  'http://172.15.255.255/',
  'http://172.32.0.1/',
  'http://100.63.255.255/',
  'http://100.128.0.1/',
  'http://[2606:4700::1111]/',
  'http://[64:ff9b::808:808]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[2002:808:808::1]/',
  'https://shop.example/notify',
]

describe('the text of a URL', () => {
  for (const [url, why] of refusedUrls) {
    test(`${url} is refused: ${why}`, () => {
      assert.throws(() => strict.parse(url), AddressRefusedError)
    })
  }

  for (const url of allowedUrls) {
    test(`${url} is not refused`, () => {
      assert.equal(strict.parse(url).href, new URL(url).href)
    })
  }

  test('a refusal never names the address', async () => {
    const lookup = resolving({ 'shop.example': [{ address: '10.20.30.40', family: 4 }] })
    await assert.rejects(lookup('shop.example'), { message: 'The address of shop.example is refused: private.' })
  })

  test('an instance that may call its own network refuses no address, but still accepts only http and https', () => {
    const lenient = addressGuard({ allowPrivate: true }, 1000)
    assert.equal(lenient.parse('http://127.0.0.1:8080/').port, '8080')
    assert.equal(lenient.parse('http://127.1/').hostname, '127.0.0.1')
    assert.throws(() => lenient.parse('file:///etc/passwd'), AddressRefusedError)
  })
})

describe('the addresses of a name', () => {
  // biome-ignore format: a table is read in columns.
  const names = [
    // addresses                              allowed
    [ ['8.8.8.8'],                            true  ],
    [ ['8.8.8.8', '2606:4700::1111'],         true  ],
    [ ['127.0.0.1'],                          false ],
    [ ['8.8.8.8', '10.0.0.1'],                false ],
    [ ['10.0.0.1', '8.8.8.8'],                false ],
    [ ['2606:4700::1111', '::1'],             false ],
    [ ['::ffff:192.168.0.1'],                 false ],
    [ ['fe80::1%eth0'],                       false ],
    [ ['not an address'],                     false ],
    [ [],                                     false ],
  ] as const

  for (const [addresses, allowed] of names) {
    test(`[${addresses.join(', ')}] is ${allowed ? 'reached' : 'refused'}`, async () => {
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const lookup = resolving({ 'shop.example': found })
      if (allowed) assert.deepEqual(await lookup('shop.example'), found)
      else await assert.rejects(lookup('shop.example'))
    })
  }

  test('a name that turns private between two connections is refused at the second (rebinding)', async () => {
    const addresses: LookupAddress[] = [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const lookup = lookupOf(async () => [addresses.shift() ?? { address: '127.0.0.1', family: 4 }])
    assert.deepEqual(await lookup('rebind.example'), [{ address: '8.8.8.8', family: 4 }])
    await assert.rejects(lookup('rebind.example'), AddressRefusedError)
  })

  test('a request refused by its address sends nothing', async () => {
    await using server = await listening()
    const urls = [
      `http://127.0.0.1:${server.port}/`,
      `http://[::ffff:127.0.0.1]:${server.port}/`,
      `http://x.example:${server.port}/`,
    ]
    const guard = addressGuard(
      { allowPrivate: false, resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
      1000,
    )
    await using agent = closing(new Agent({ connect: guard.connect }))
    // Without `parse`, so that the connector alone must refuse.
    for (const url of urls) await assert.rejects(request(url, { dispatcher: agent.it }), AddressRefusedError)
    assert.equal(server.requests(), 0)
  })

  test('a connection goes to exactly the checked address, after one look-up per connection', async () => {
    await using server = await listening()
    const lookups: string[] = []
    const resolve: Resolve = async (hostname) => {
      lookups.push(hostname)
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const guard = addressGuard({ allowPrivate: true, resolve }, 1000)
    await using agent = closing(new Agent({ connect: guard.connect }))
    // No system resolver knows the name, so the answer can only come from the address given here.
    for (let time = 0; time < 3; time += 1) {
      const { body } = await request(`http://no-such-name.invalid:${server.port}/`, { dispatcher: agent.it })
      assert.equal(await body.text(), 'OK')
    }
    assert.equal(lookups.length, server.connections())
  })
})

test('a private IPv4 address is private in every IPv6 form that embeds it', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
      const plain = `${a}.${b}.${c}.${d}`
      const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
      const forms = [`::ffff:${plain}`, `64:ff9b::${plain}`, `2002:${high}:${low}::1`]
      for (const form of forms) assert.equal(privateRange(form), privateRange(plain), form)
    }),
  )
})

function lookupOf(resolve: Resolve): (hostname: string) => Promise<unknown> {
  const { lookup } = addressGuard({ allowPrivate: false, resolve }, 1000)
  return (hostname) =>
    new Promise((resolve, reject) => {
      lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
    })
}

function resolving(names: Record<string, readonly LookupAddress[]>) {
  return lookupOf(async (hostname) => names[hostname] ?? [])
}

async function listening() {
  let requests = 0
  let connections = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end('OK')
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function closing(it: Agent) {
  return { it, [Symbol.asyncDispose]: () => it.destroy() }
}
