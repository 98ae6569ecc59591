/**
 * Corrupted requests of every kind to the real app: forms of S2S, JSON of Checkout, queries, headers, and everything the panel reads,
 * including archives of forms and keys of wallets. Each may be refused; nothing may break, and none is answered with 5xx.
 */
import { deflateRawSync } from 'node:zlib'
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { leaf, pem } from '#server/wallets/tokens/testing/authority.ts'
import { Apm } from '../../server/test/apm.ts'
import { CheckoutClient } from '../../server/test/pages/checkout.ts'
import { merchantId, panelOf } from '../../server/test/panel/admin.ts'
import { createEntities } from '../../server/test/panel/admin-entities.ts'
import { formOf, openShop, type Shop } from '../../server/test/shop.ts'
import { type Campaign, type Findings, sizeOf, type Terms } from '../campaign.ts'
import { mangleBytes, mangleText } from '../mangle.ts'
import type { Random } from '../stage/random.ts'

export const fuzz: Campaign = {
  name: 'fuzz',
  asserts: 'malformed forms, JSON, queries, headers, archives and keys break nothing and are never answered with 5xx.',
  sizes: { inputs: 20_000 },
  quick: { inputs: 150 },
  run,
  plantedFault: {
    what: 'The form parser throws on a zero byte.',
    seenIn: 'answers with 5xx',
    sizes: { inputs: 400 },
    patches: [
      {
        file: 'server/src/protocols/kit/merchant-request.ts',
        find: 'const address = callerAddress(request.raw, trustedProxies)',
        replace:
          "const address = callerAddress(request.raw, trustedProxies)\n  if (Buffer.isBuffer(request.body) && request.body.includes(0)) throw new TypeError('planted')",
      },
    ],
  },
}

interface Input {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
}

type Target = (random: Random) => Input

async function run(terms: Terms): Promise<Findings> {
  await using shop = await openShop()
  await shop.configure('update merchants set rate_per_second = 1000000')
  const targets = { ...merchantTargets(shop), ...(await panelTargets(shop)) }
  const inputs = sizeOf(terms, 'inputs')
  const [broken, crashes]: [string[], string[]] = [[], []]
  let executions = 0
  // An uncaught error would otherwise end the campaign with the app.
  const uncaught = (error: unknown): void =>
    void crashes.push(error instanceof Error ? (error.stack ?? '') : String(error))
  process.on('uncaughtException', uncaught).on('unhandledRejection', uncaught)
  try {
    for (const [name, target] of Object.entries(targets)) {
      for (let round = 0; round < inputs; round += 1) {
        const input = target(terms.random)
        executions += 1
        try {
          const { statusCode } = await shop.service.app.inject(input)
          if (statusCode >= 500) broken.push(`${name}: ${statusCode} to ${describeInput(input)}`)
        } catch (error) {
          crashes.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
        }
      }
    }
  } finally {
    process.off('uncaughtException', uncaught).off('unhandledRejection', uncaught)
  }
  return {
    figures: [
      { name: 'kinds of input', value: Object.keys(targets).length },
      { name: 'executions', value: executions },
      { name: 'crashes', value: crashes.length, must: 0 },
      { name: 'answers with 5xx', value: broken.length, must: 0 },
    ],
    faults: [...crashes, ...broken],
  }
}

const describeInput = ({ method, url, payload }: Input): string => {
  const text = payload === undefined ? '' : Buffer.from(payload).toString('latin1')
  return JSON.stringify(`${method} ${url} ${text}`.slice(0, 600))
}

/** What merchants' servers and payers' browsers send. */
function merchantTargets(shop: Shop): Readonly<Record<string, Target>> {
  const apm = new Apm(shop)
  const checkout = new CheckoutClient(shop)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const json = { 'content-type': 'application/json' }
  const sale = formOf(shop.saleFields({ order_id: 'FUZZED' })).toString()
  const apmSale = formOf(apm.sign('SALE', { ...apm.order(), brand: 'vcard', identifier: 'a@example.com' })).toString()
  const session = JSON.stringify(checkout.sign('session', checkout.purchase()))
  const post =
    (url: string, headers: Input['headers'], sample: string): Target =>
    (random) => ({
      method: 'POST',
      url,
      headers,
      payload: random.between(0, 1) === 0 ? mangleText(random, sample) : mangleBytes(random, Buffer.from(sample)),
    })
  return {
    'S2S CARD form': post('/post', form, sale),
    'S2S CARD form, v2': post('/v2/post', form, sale),
    'S2S APM form': post('/post-va', form, apmSale),
    'S2S multipart': post('/post', { 'content-type': 'multipart/form-data; boundary=x' }, multipart(sale)),
    'Checkout session': post('/api/v1/session', json, session),
    'Checkout status': post('/api/v1/payment/status', json, '{"merchant_key":"k","payment_id":"p","hash":"h"}'),
    'Checkout refund': post(
      '/api/v1/payment/refund',
      json,
      '{"merchant_key":"k","payment_id":"p","amount":"1.00","hash":"h"}',
    ),
    'query of S2S': (random) => ({ method: 'GET', url: `/post?${query(random, sale)}`, headers: {} }),
    address: (random) => ({
      method: 'GET',
      url: `/${path(random, 'auth/ZXlKaGJHY2lPaUpTVXpJMU5pSjkuZTMwLng')}`,
      headers: {},
    }),
    headers: (random) => ({
      method: 'POST',
      url: '/post',
      headers: { ...form, ...spoiltHeaders(random) },
      payload: sale,
    }),
  }
}

/** What the panel reads from a signed-in user. */
async function panelTargets(shop: Shop): Promise<Readonly<Record<string, Target>>> {
  const browser = await panelOf(shop)
  const own = await merchantId(shop, 'demo')
  const params = (await createEntities(shop, [own]))(own)
  const headers = { cookie: browser.cookie, 'x-csrf-token': browser.csrf, 'content-type': 'application/json' }
  // Endpoints that end the session or move the clock would end the campaign.
  const usable = endpoints.filter(({ path: at }) => !/^\/(?:session|account|system\/clock)/.test(at))
  const [first, ...rest] = usable
  if (!first) throw new Error('The panel has no endpoints.')
  const anyEndpoint: Target = (random) => {
    const { method, path: at } = random.pick([first, ...rest])
    const named = at.replace(/:(\w+)/g, (_, name: string) =>
      random.between(0, 2) === 0 ? path(random, params[name] ?? 'x') : encodeURIComponent(params[name] ?? 'x'),
    )
    const search =
      method === 'GET' ? `?${query(random, 'limit=10&before=x&from=2026-01-01&merchant=1&status=SETTLED')}` : ''
    return {
      method,
      url: `/admin/api${named}${search}`,
      headers,
      ...(method === 'GET'
        ? {}
        : { payload: mangleText(random, '{"amountMinor":"100","reason":"x","name":"y","ids":["z"]}') }),
    }
  }
  const post =
    (at: string, body: (random: Random) => object): Target =>
    (random) => ({
      method: 'POST',
      url: `/admin/api/merchants/${own}${at}`,
      headers,
      payload: JSON.stringify(body(random)),
    })
  const archive = zipFiles({ 'index.html': '<form id="pay"></form>', 'js/form.js': 'export {}' })
  return {
    'panel, any endpoint': anyEndpoint,
    'panel, archive of a form': post('/forms', (random) => ({
      formId: 'fuzzed',
      archive: mangleBytes(random, archive).toString('base64'),
    })),
    'panel, certificate of a wallet': post('/wallets/live/walletapay/keys', (random) => ({
      role: 'processing',
      certificate: mangleText(random, pem(leaf.der)),
    })),
    'panel, domains of a wallet': post('/wallet-domains/walletapay', (random) => ({
      domains: mangleText(random, 'shop.example\nwww.shop.example;pay.shop.example'),
    })),
  }
}

const multipart = (form: string): string => {
  const parts = [...new URLSearchParams(form)].map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--x--\r\n`
}

/** A client would refuse to send these characters; raw ones arrive percent-encoded or not at all. */
const query = (random: Random, sample: string): string =>
  encodeURI(mangleText(random, sample).toWellFormed()).replaceAll('#', '')
const path = (random: Random, sample: string): string => query(random, sample).replaceAll('?', '')

function spoiltHeaders(random: Random): Readonly<Record<string, string>> {
  const text = mangleText(random, 'application/x-www-form-urlencoded; charset=utf-8').replaceAll(
    /[^\t\x20-\x7e\x80-\xff]/g,
    '',
  )
  const name = random.pick([
    'content-type',
    'idempotency-key',
    'x-forwarded-for',
    'accept-language',
    'cookie',
    'user-agent',
    'origin',
  ])
  return { [name]: text }
}

/** A zip archive, as uploaded in the panel. */
function zipFiles(files: Readonly<Record<string, string>>): Buffer {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const data = deflateRawSync(Buffer.from(text))
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(text.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(centrals.length, 4)
  end.writeUInt16LE(centrals.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}
