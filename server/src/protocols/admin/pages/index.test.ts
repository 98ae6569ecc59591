import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { WebFile } from '../../assets/web-files.ts'
import { adminPages } from './index.ts'

const webFile = (name: string): WebFile => ({
  name,
  path: `/web/${name}`,
  integrity: `sha256-${name}`,
  type: 'text/plain',
  content: Buffer.from(''),
  readBrotli: async () => Buffer.from(''),
  readGzip: async () => Buffer.from(''),
})

async function servePages(panelUrl: string) {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  const files = { find: webFile, file: () => null, all: () => [], altered: [] }
  await app.register(
    adminPages({
      files,
      panelUrl: () => panelUrl,
      fieldsUrl: () => 'https://fields.example/base',
      isPanelHost: (host) => host !== 'elsewhere.example',
    }),
  )
  return app
}

test('every address of the panel answers the same page, which names its script and style with their hashes', async () => {
  const app = await servePages('https://pay.example')
  const bodies = await Promise.all(
    ['/admin', '/admin/', '/admin/payments', '/admin/merchants/1?tab=keys'].map(async (url) => {
      const answer = await app.inject({ url })
      assert.equal(answer.statusCode, 200, url)
      return answer.body
    }),
  )
  assert.equal(new Set(bodies).size, 1)
  assert.match(bodies[0] ?? '', /src="\/web\/admin.js" integrity="sha256-admin.js"/)
  assert.match(bodies[0] ?? '', /href="\/web\/admin.css" integrity="sha256-admin.css"/)
})

test('nothing but scripts and styles of this host runs, and nobody frames the panel', async () => {
  const { headers } = await (await servePages('https://pay.example')).inject({ url: '/admin' })
  const policy = String(headers['content-security-policy'])
  assert.ok(!policy.includes('unsafe') && !policy.includes('*'), policy)
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", 'require-trusted-types-for'])
    assert.ok(policy.includes(rule), rule)
  assert.match(policy, /frame-src 'self' https:\/\/fields\.example;/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['strict-transport-security'], 'max-age=31536000')
})

test('a host that is reached by http is not shut for it', async () => {
  const { headers } = await (await servePages('http://127.0.0.1:8080')).inject({ url: '/admin' })
  assert.equal(headers['strict-transport-security'], undefined)
})
