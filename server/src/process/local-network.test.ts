/** `npm start -- --lan`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { localAddress, onLocalNetwork, requireLocalAddress } from './local-network.ts'
import { readOptions, startArguments } from './start-arguments.ts'
import { StartupError } from './startup-error.ts'

const entry = (address: string, over = {}) => ({ address, family: 'IPv4', internal: false, ...over }) as const

test('the address in the local network is a private one of a real interface, if there is one', () => {
  const interfaces = {
    lo: [entry('127.0.0.1', { internal: true })],
    docker0: [entry('172.17.0.1')],
    wlan0: [entry('fe80::1', { family: 'IPv6' }), entry('192.168.1.5')],
  }
  assert.equal(localAddress(interfaces), '192.168.1.5')
  assert.equal(localAddress({ docker0: interfaces.docker0 }), '172.17.0.1')
  assert.equal(localAddress({ lo: interfaces.lo, eth0: [entry('203.0.113.9')] }), null)
  assert.throws(() => requireLocalAddress(null), /no address in a local network/)
})

test('with --lan a sandbox listens for the network and names itself by its address there', () => {
  const { host, baseUrl } = onLocalNetwork(readConfig('all', { PORT: '8099' }), '192.168.1.5')
  assert.deepEqual([host, baseUrl], ['0.0.0.0', 'http://192.168.1.5:8099'])
})

test('HOST and BASE_URL take precedence over --lan', () => {
  const set = { HOST: '192.168.1.6', BASE_URL: 'https://sandbox.example' }
  const { host, baseUrl } = onLocalNetwork(readConfig('all', set), '192.168.1.5')
  assert.deepEqual([host, baseUrl], [set.HOST, set.BASE_URL])
})

test('a live instance is not opened to the network by --lan', () => {
  const live = readConfig('all', { GATEHOUSE_MODE: 'live', GATEHOUSE_KEY_FILE: '/keys.json' })
  assert.throws(() => onLocalNetwork(live, '192.168.1.5'), StartupError)
})

const argumentsOf = (...args: readonly string[]) => {
  const reading = readOptions(args)
  return reading.kind === 'start' ? startArguments(reading) : reading
}

const alone = { part: 'alone', processes: 1 }

test('--lan is an option of the role all and takes no value', () => {
  assert.deepEqual(argumentsOf('--lan'), { role: 'all', acquirers: null, lan: true, ...alone })
  assert.deepEqual(argumentsOf(), { role: 'all', acquirers: null, lan: false, ...alone })
  assert.throws(() => argumentsOf('worker', '--lan'), /Only the role all takes --lan/)
  assert.deepEqual(argumentsOf('--lan=yes'), { kind: 'misused', sentence: '--lan takes no value.' })
  assert.deepEqual(argumentsOf('--acquirers'), {
    kind: 'misused',
    sentence: '--acquirers needs names, for example adyen,stripe, or all.',
  })
})
