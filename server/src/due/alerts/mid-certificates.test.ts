/** Chapter 70 §9: a client certificate of a MID that expires is reported in time, once for each stage. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { expiryText } from './mid-certificates.ts'

const certificate = pem(root.der)
const until = new X509Certificate(certificate).validToDate
const day = until.toISOString().slice(0, 10)
const textBefore = (days: number): string | null =>
  expiryText({ name: 'host-live', certificate }, new Date(until.getTime() - days * 86_400_000))

test('an expiry is reported 30 and 7 days before, and when it has come', () => {
  const text = `The client certificate of MID host-live expires on ${day}, within`
  assert.equal(textBefore(30.1), null)
  for (const days of [30, 7.1]) assert.equal(textBefore(days)?.slice(0, text.length + 8), `${text} 30 days`)
  for (const days of [7, 0.1]) assert.equal(textBefore(days)?.slice(0, text.length + 7), `${text} 7 days`)
  for (const days of [0, -40]) assert.match(textBefore(days) ?? '', new RegExp(`expired on ${day}\\.`))
})

test('a MID without a certificate, or with a text that is none, is not reported', () => {
  assert.equal(expiryText({ name: 'a', certificate: null }, until), null)
  assert.equal(expiryText({ name: 'a', certificate: '-----BEGIN CERTIFICATE-----' }, until), null)
})
