import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passkeyHint } from './passkey-hint.ts'

const at = (address: string): string | null => passkeyHint(new URL(address))

test('a panel that was opened by its IP address says where passkeys work', () => {
  assert.match(
    at('http://127.0.0.1:8080/admin/account') ?? '',
    /Open the panel at http:\/\/localhost:8080\/admin\/account /,
  )
  assert.match(at('http://[::1]:8080/admin') ?? '', /localhost:8080/)
  assert.match(at('https://192.0.2.7/admin') ?? '', /under its host name/)
})

test('a host name needs no hint', () => {
  assert.equal(at('http://localhost:8080/admin'), null)
  assert.equal(at('https://panel.example.com/admin'), null)
})
