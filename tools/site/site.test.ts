/** The documentation site of an instance: its pages and links, the reader's own values, and every example of the guides, run. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { errors, violations } from '#domain/errors.ts'
import { openShop } from '../../server/test/shop.ts'
import { fillText } from '../samples/sample.ts'
import { inFolder, isInstalled, runners } from '../samples/testing/run-program.ts'
import { shownSamples, tellStory } from '../samples/testing/sample-story.ts'
import { root } from '../tidy/source-files.ts'
import { sitePages } from './page-table.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const addressOf = (slug: string): string => (slug === '' ? '/docs' : `/docs/${slug}`)
const fetchText = async (path: string): Promise<string> => (await fetch(`${shop.url}${path}`)).text()
const pages = new Map(
  await Promise.all(sitePages.map(async ({ slug }) => [addressOf(slug), await fetchText(addressOf(slug))] as const)),
)

describe('the site', () => {
  test('serves every page with a heading and nothing unfilled', () => {
    for (const [path, html] of pages) {
      assert.match(html, /<h1 /, path)
      assert.doesNotMatch(html, /%[A-Z]+%|%EXAMPLE|\{\{\w+\}\}|#outside/, path)
    }
  })

  test('has no link that leads nowhere', () => {
    for (const [path, html] of pages) {
      for (const [, target = ''] of html.matchAll(/href="([^"]+)"/g)) {
        if (/^(?:https?:|\/web\/)/.test(target)) continue
        const [page = '', anchor] = target.split('#')
        const there = pages.get(page === '' ? path : page)
        assert.ok(there !== undefined, `${path}: ${target}`)
        assert.ok(anchor === undefined || there.includes(`id="${anchor}"`), `${path}: ${target}`)
      }
    }
  })

  test('loads at most 60 kB for its first page, and nothing from elsewhere', async () => {
    const html = pages.get('/docs') ?? ''
    const files = [...html.matchAll(/(?:href|src)="(\/web\/[^"]+)"/g)].map(([, path = '']) => path)
    assert.equal(files.length, 2)
    const texts = [html, ...(await Promise.all(files.map(fetchText)))]
    assert.ok(texts.reduce((bytes, text) => bytes + gzipSync(text).length, 0) <= 60_000)
    for (const text of pages.values()) assert.doesNotMatch(text, /src="https?:|<style|<script(?! type="module" src)/)
  })

  test('forbids scripts and styles of others, and frames', async () => {
    const policy = (await fetch(`${shop.url}/docs`)).headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(rule), rule)
  })

  test('answers an unknown page with 404 and the way to the overview', async () => {
    const reply = await fetch(`${shop.url}/docs/nothing`)
    assert.equal(reply.status, 404)
    assert.match(await reply.text(), /href="\/docs"/)
  })

  test('has a search index of every page', async () => {
    const index = JSON.parse(await fetchText('/docs/search.json')) as readonly (readonly string[])[]
    for (const { slug } of sitePages)
      assert.ok(
        index.some(([page]) => page === slug),
        slug,
      )
    // A search reads all of it; "npm run bench -- integrator" says how long that takes.
    assert.ok(JSON.stringify(index).length <= 600_000, String(JSON.stringify(index).length))
  })

  test('names the demo merchant of a sandbox, and its password only to a reader on the same machine', async () => {
    const { key, password } = shop.merchant()
    const here = await (await fetch(`${shop.url}/docs/reader.json`)).json()
    assert.deepEqual(here, {
      mode: 'sandbox',
      base_url: shop.url,
      panel: true,
      merchant: { title: 'Demo shop', key, password },
    })
    const headers = { 'x-forwarded-for': '198.51.100.1' }
    const elsewhere = JSON.parse(await (await fetch(`${shop.url}/docs/reader.json`, { headers })).text())
    assert.deepEqual(elsewhere.merchant, { title: 'Demo shop', key, password: null })
  })

  test('begins a sandbox with a page whose links all work', async () => {
    const html = await fetchText('/')
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, target = '']) => target)
    assert.ok(links.length >= 6)
    for (const link of links) assert.ok((await fetch(new URL(link, shop.url))).ok, link)
  })
})

/** The others take a second for each program; all of theirs run in examples.full.test.ts. */
const quick: ReadonlySet<string> = new Set(['curl', 'node', 'php'])

test('the site as static files has the same pages, with links between files and nothing of an instance', async () => {
  await inFolder(async (folder) => {
    const { stdout } = await promisify(execFile)(process.execPath, [`${root}tools/docs-site.ts`, '--out', folder])
    assert.match(stdout, new RegExp(`^Wrote ${sitePages.length} pages`))
    const files = new Set(readdirSync(folder))
    for (const { slug } of sitePages) {
      const name = slug === '' ? 'index.html' : `${slug}.html`
      const html = readFileSync(`${folder}/${name}`, 'utf8')
      assert.doesNotMatch(html, /data-reader|(?:href|src)="\//, name)
      for (const [, target = ''] of html.matchAll(/(?:href|src)="([^"#:]+)[^":]*"/g))
        assert.ok(files.has(target), `${name}: ${target}`)
    }
    for (const name of ['search.json', 'openapi-checkout.json', 'openapi-s2s-card.json', 'openapi-s2s-apm.json'])
      assert.ok(files.has(name), name)
  })
})

describe('examples of the guides, run as a reader runs them, in', () => {
  for (const [language, runner] of Object.entries(runners)) {
    const skip = isInstalled(runner) ? false : `Install it to run these: apt-get install ${runner.package}`
    const ids = quick.has(language) ? shownSamples() : ['card-sale']
    test(language, { skip }, () => tellStory(shop, language, ids))
  }

  test('wallets.md: a wallet payment without a device succeeds', async () => {
    const page = readFileSync(`${root}docs/guide/wallets.md`, 'utf8')
    const [, program = ''] = /```sh\n([\s\S]*?)```/.exec(page.slice(page.indexOf('Or let the simulator'))) ?? []
    const filled = fillText(program, { base_url: shop.url, key: shop.merchant().key })
    const printed = await inFolder(async (folder) => runners['curl']?.run(filled, folder) ?? '')
    assert.match(printed, /"result":"SUCCESS","status":"SETTLED"/)
  })

  test('3-d-secure.md: a challenge is confirmed without a browser', async () => {
    const page = readFileSync(`${root}docs/guide/3-d-secure.md`, 'utf8')
    const [, program = ''] = /```sh\n([\s\S]*?)```/.exec(page.slice(page.indexOf('### Without a browser'))) ?? []
    const { body } = await shop.sale({ card_exp_month: '05' })
    const filled = program
      .replace("TRANS_ID='TRANS_ID'", `TRANS_ID='${body.trans_id}'`)
      .replace("'TERM_URL'", `'${body.redirect_params.TermUrl}'`)
    const printed = await inFolder(async (folder) => runners['curl']?.run(filled, folder) ?? '')
    assert.equal(printed, '303\n')
    assert.equal((await shop.followUp('GET_TRANS_STATUS', body.trans_id)).body.status, 'SETTLED')
  })

  test('errors that a guide quotes are errors of the service', () => {
    const known = JSON.stringify([Object.values(violations), Object.values(errors)])
    for (const { source } of sitePages.filter((page) => page.source.startsWith('docs/guide/')))
      for (const [, text = ''] of readFileSync(`${root}${source}`, 'utf8').matchAll(/`[a-z_]+: ([A-Z][^`]+)`/g))
        assert.ok(known.includes(text), `${source}: ${text}`)
  })

  test('callbacks.md: the receiver acknowledges an authentic callback and refuses an altered one', async () => {
    const page = readFileSync(`${root}docs/guide/callbacks.md`, 'utf8')
    const [, program = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? []
    const key = Buffer.from('a secret of thirty-two bytes, ok')
    const environment = { ...process.env, PORT: '0', WEBHOOK_SECRET: `whsec_${key.toString('base64')}` }
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', `${program}\nserver.on('listening', () => console.log(server.address().port))`],
      { env: environment },
    )
    try {
      const port = Number(await new Promise((resolve) => child.stdout.once('data', resolve)))
      const at = String(Math.floor((performance.timeOrigin + performance.now()) / 1000))
      const body = 'order_id=1&status=SETTLED&result=SUCCESS'
      const signature = `v1,${createHmac('sha256', key).update(`id.${at}.${body}`).digest('base64')}`
      const headers = { 'webhook-id': 'id', 'webhook-timestamp': at, 'webhook-signature': signature }
      const send = (sent: string) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })
      assert.equal(await (await send(body)).text(), 'OK')
      assert.equal((await send(body.replace('SETTLED', 'REFUND'))).status, 401)
    } finally {
      child.kill()
    }
  })
})
