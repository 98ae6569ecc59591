import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownColours } from '#domain/checkout/branding.ts'
import { previewPage } from './preview.ts'

const parts = {
  files: { find: () => null, file: () => null, all: () => [], altered: [] },
  publicUrl: () => 'https://pay.example',
  clock: { now: () => new Date('2026-03-01T12:00:00Z') },
}
const branding = { name: 'Tom & "Co" <b>', logo: null, colours: ownColours, template: 'plain' } as const

test('a preview has its session in it, and what the merchant wrote stays text', () => {
  const { body } = previewPage(parts, branding)
  assert.match(body, /<body data-template="plain">/)
  assert.doesNotMatch(body, /<b>/)
  const attribute = /data-preview="([^"]+)"/.exec(body)?.[1] ?? assert.fail()
  const session = JSON.parse(attribute.replace(/&#([0-9]+);/g, (_, code) => String.fromCharCode(Number(code))))
  assert.equal(session.branding.name, branding.name)
  assert.deepEqual([session.state, session.server_time, session.language], ['ready', '2026-03-01T12:00:00.000Z', 'en'])
})

test('a preview is shown in any language of the page, and in English for any other', () => {
  assert.match(previewPage(parts, branding, 'ar').body, /<html lang="ar" dir="rtl">/)
  assert.match(previewPage(parts, branding, 'tlh').body, /<html lang="en" dir="ltr">/)
})

test('a preview is framed by this host alone, runs under the page’s policy and is not kept', () => {
  const { headers } = previewPage(parts, branding)
  assert.match(
    headers['content-security-policy'] ?? '',
    /default-src 'none'; script-src 'self'; .*frame-ancestors 'self'; require-trusted-types/,
  )
  assert.equal(headers['cache-control'], 'no-store')
})
