import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyHeaders } from './policy.ts'

test('the policy is that of the chapter, word for word, where everything is reached by https', () => {
  const headers = policyHeaders({ embedders: 'https://shop.example', plainHttp: false, trustedTypes: true })
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src https:; form-action https:; base-uri 'none'; frame-ancestors https://shop.example; require-trusted-types-for 'script'; report-uri /page/v1/report; report-to page",
  )
  assert.equal(headers['permissions-policy'], 'payment=(self)')
})

test('HSTS is sent if the service is reached by https, and only then', () => {
  const sent = (plainHttp: boolean) =>
    policyHeaders({ embedders: '*', plainHttp, trustedTypes: true })['strict-transport-security']
  assert.equal(sent(false), 'max-age=31536000')
  assert.equal(sent(true), undefined)
})

test('a wallet provider’s script is allowed by its exact address, without requiring trusted types', () => {
  const headers = policyHeaders({
    scripts: ['https://wallet.example/v1/pay.js'],
    hosts: ['https://wallet.example'],
    embedders: '*',
    plainHttp: false,
    trustedTypes: false,
  })
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /script-src 'self' https:\/\/wallet\.example\/v1\/pay\.js;/)
  assert.match(policy, /connect-src 'self' https:\/\/wallet\.example;/)
  assert.doesNotMatch(policy, /trusted-types/)
  assert.equal(headers['permissions-policy'], 'payment=(self "https://wallet.example")')
})
