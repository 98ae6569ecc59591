import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionContext } from '../../payments/sessions/session-context.ts'
import { fieldEmbedders, pageEmbedders } from './embedders.ts'

const none = { success: null, cancel: null, expiry: null, error: null, return: null }

/** Only what is looked at. */
const context = (urls: object, embeddingOrigins: readonly string[] = []): SessionContext =>
  ({
    mapping: { embeddingOrigins },
    session: { request: { urls: { ...none, ...urls } } },
  }) as unknown as SessionContext

// biome-ignore format: a table is read in columns.
const cases = [
  ['the sites that the session names',        { success: 'https://shop.example/ok?a=1', cancel: 'https://shop.example/no' }, "https://shop.example https://www.shop.example"],
  ['each site once, with and without www',    { success: 'https://www.shop.example/', cancel: 'https://shop.example/' },     "https://www.shop.example https://shop.example"],
  ['a machine by its address and port',       { success: 'http://127.0.0.1:8080/ok' },                                        "http://127.0.0.1:8080"],
  ['a machine by its name',                   { success: 'http://localhost:3000/ok' },                                        "http://localhost:3000"],
 ['nothing for a host that would be a rule', { success: 'https://a;sandbox/', cancel: 'https://*.example/' },                   "'none'"],
  ['nothing for the address of an app',       { success: 'myapp://paid' },                                                    "'none'"],
] as const

for (const [what, urls, expected] of cases)
  test(`without a list the page may be framed by ${what}`, () => {
    assert.equal(pageEmbedders(context(urls)), expected)
  })

test('the mapping’s list is all that counts where there is one', () => {
  assert.equal(
    pageEmbedders(context({ success: 'https://shop.example/' }, ['https://other.example'])),
    'https://other.example',
  )
  assert.equal(pageEmbedders(context({}, ['*'])), '*')
})

test('hosted fields, which do not know their session when they are loaded, follow the list alone', () => {
  const { session } = context({})
  assert.equal(fieldEmbedders({ embeddingOrigins: [] }, session), '*')
  assert.equal(fieldEmbedders({ embeddingOrigins: ['https://shop.example'] }, session), 'https://shop.example')
})

test('fields of the virtual terminal are framed by the panel alone', () => {
  const { session } = context({ cancel: 'https://panel.example:8443/admin/terminal' })
  const terminal = { ...session, kind: 'terminal' as const }
  for (const embeddingOrigins of [[], ['*'], ['https://shop.example']])
    assert.equal(fieldEmbedders({ embeddingOrigins }, terminal), 'https://panel.example:8443')
})
