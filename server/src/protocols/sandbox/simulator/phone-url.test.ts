import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneUrl } from './phone-url.ts'

const [here, network] = ['http://localhost:8080/simulator/phone', 'http://192.168.1.5:8080/simulator/phone']

test('a scan code has an address that a phone can open, if the gateway has one', () => {
  assert.equal(phoneUrl(here, network), network)
  assert.equal(phoneUrl('https://tunnel.example/simulator/phone', network), 'https://tunnel.example/simulator/phone')
  assert.equal(phoneUrl(undefined, network), network)
})

test('without such an address the code has that of the page, which another window can open', () => {
  assert.equal(phoneUrl(here, 'http://127.0.0.1:8080/simulator/phone'), here)
})
