/**
 * The hosted page with a scripted server: the real scripts and styles under the real policy, and chosen answers of the page's API. So
 * states that are rare or last a moment can be tested.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { languages } from '#domain/place/language.ts'
import { buildWeb } from '../../../tools/build-web.ts'
import { portOf } from '../hosts/port-of.ts'

type StubAnswer = { readonly http?: number; readonly body: unknown } | 'never'

/** What the page sent, as far as tests look at it. */
interface PageRequest {
  readonly card_token?: string
  readonly cvv?: string
  readonly card?: object
  readonly customer?: { readonly name?: string }
}

interface Call {
  readonly path: string
  readonly body: PageRequest
}

export interface CheckoutScene {
  readonly url: string
  /** The page's requests, in order. */
  readonly calls: readonly Call[]
  /** The answers to a call, in order; the last one is repeated. */
  answer(path: string, ...answers: readonly StubAnswer[]): void
  stop(): Promise<void>
}

const built = new URL('../../../web/.built/', import.meta.url)

/** The outcome is unknown to the page. Chapter 30 §1.4. */
export const fault: StubAnswer = {
  http: 503,
  body: { error_code: 100000, error_message: 'Internal error.', errors: [] },
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "frame-src https:; form-action https:; base-uri 'none'; require-trusted-types-for 'script'"

export async function checkoutScene(session: object = {}, language = 'en'): Promise<CheckoutScene> {
  await buildWeb()
  const calls: Call[] = []
  const answers = new Map<string, StubAnswer[]>([
    ['session', [{ body: { ...readySession(), ...session } }]],
    ['countries', [{ body: someCountries }]],
    ['state', ['never']],
  ])
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const reply = pathname.startsWith('/page/v1/')
        ? await ofApi(pathname.slice('/page/v1/'.length), request)
        : await file(pathname, language)
      if (reply === 'never') return
      response.writeHead(reply.http, {
        'content-type': reply.type,
        'content-security-policy': policy,
        'cache-control': 'no-store',
      })
      response.end(reply.body)
    })()
  })
  const ofApi = async (path: string, request: IncomingMessage) => {
    calls.push({ path, body: await bodyOf(request) })
    const left = answers.get(path) ?? []
    const next = left.length > 1 ? left.shift() : left[0]
    if (next === 'never') return next
    return { http: next?.http ?? (next ? 200 : 404), type: 'application/json', body: JSON.stringify(next?.body ?? {}) }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    url: `http://127.0.0.1:${port}/auth/token`,
    calls,
    answer: (path, ...next) => void answers.set(path, [...next]),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<PageRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : JSON.parse(text)
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', json: 'application/json' }

async function file(path: string, language: string) {
  if (path.startsWith('/auth/')) return { http: 200, type: 'text/html; charset=utf-8', body: shell(language) }
  const name = path.replace(/^\/web\//, '')
  const body = /^[\w.-]+$/.test(name) ? await readFile(new URL(name, built)).catch(() => null) : null
  return { http: body ? 200 : 404, type: types[name.split('.').at(-1) ?? ''] ?? 'text/plain', body: body ?? '' }
}

interface Built {
  readonly file: string
  readonly integrity: string
}

function shell(code: string): string {
  // The build writes it in this shape.
  const manifest = JSON.parse(readFileSync(fileURLToPath(new URL('manifest.json', built)), 'utf8')) as Record<
    string,
    Built
  >
  const { tag = 'en', direction = 'ltr' } = languages.find((one) => one.code === code) ?? {}
  const texts = Object.fromEntries(
    languages.map((one) => [one.code, `/web/${manifest[`language.${one.code}.json`]?.file}`]),
  )
  const [script, style] = [manifest['checkout.js'], manifest['checkout.css']]
  return `<!doctype html><html lang="${tag}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Payment</title>
<link rel="stylesheet" href="/web/${style?.file}" integrity="${style?.integrity}">
<script type="module" src="/web/${script?.file}" integrity="${script?.integrity}"></script></head>
<body><div id="checkout" data-language="${code}" data-languages="${JSON.stringify(texts).replaceAll('"', '&quot;')}"></div></body></html>`
}

/** The page counts from the server's time, whatever its own clock says. */
export function readySession(minutesLeft = 60): object {
  const now = Date.parse('2026-11-15T12:00:00Z')
  return {
    state: 'ready',
    operation: 'purchase',
    auth: false,
    test: true,
    moto: false,
    order: { number: 'ORDER-1001', amount: '49.90', currency: 'EUR', description: 'Running shoes, size 42' },
    vat_amount: null,
    total_amount: '49.90',
    expires_at: new Date(now + minutesLeft * 60_000).toISOString(),
    server_time: new Date(now).toISOString(),
    language: 'en',
    direction: 'ltr',
    branding: { name: 'The Shop of Good Shoes', logo: null, colours: null },
    methods: [cardMethod],
    card_tokens: [],
    customer: {},
    billing_address: {},
    custom_data: null,
    declines: { count: 0, max: 3 },
    terms: null,
    consent: false,
    schedule: null,
    cancel_url: 'https://shop.example.com/cancel',
    redirect: null,
    decline_message: null,
  }
}

const fieldView = (name: string, type: string, more: object = {}): object => ({ name, type, required: true, ...more })

export const cardMethod = {
  code: 'card',
  kind: 'card',
  fields: [
    fieldView('card.number', 'card-number'),
    fieldView('card.expiry', 'expiry'),
    fieldView('card.cvv', 'code'),
    fieldView('customer.name', 'name'),
  ],
  terms: true,
  networks: ['visa', 'mastercard', 'amex'],
} as const

export const bankMethod = {
  code: 'bank-redirect',
  kind: 'brand',
  redirects: true,
  title: 'Bank transfer',
  fields: [],
  terms: true,
  networks: [],
} as const

export const everythingMethod = {
  code: 'voucher-cash',
  kind: 'brand',
  redirects: false,
  title: 'Cash at a counter',
  fields: [
    fieldView('customer.email', 'email'),
    fieldView('billing_address.address', 'text'),
    fieldView('billing_address.city', 'text'),
    fieldView('billing_address.zip', 'zip'),
    fieldView('billing_address.country', 'country'),
    fieldView('billing_address.state', 'state'),
    fieldView('billing_address.phone_country_code', 'phone-country-code'),
    fieldView('billing_address.phone', 'phone'),
    fieldView('fields.document_number', 'digits', { title: 'Document number', min: 5, max: 20 }),
    fieldView('fields.store_chain', 'enum', { title: 'Chain', values: ['A', 'B'], required: false }),
  ],
  terms: false,
  networks: [],
} as const

export const savedCards = [
  {
    token: 'a'.repeat(64),
    last: '1111',
    month: 1,
    year: 2038,
    brand: 'visa',
    cardholder_name: 'John Doe',
    expired: false,
    asks: ['cvv'],
  },
  {
    token: 'b'.repeat(64),
    last: '4444',
    month: 1,
    year: 2020,
    brand: 'mastercard',
    cardholder_name: null,
    expired: true,
    asks: ['cvv'],
  },
] as const

const someCountries = [
  { value: 'CA', text: 'Canada', calling_code: '1', regions: null },
  { value: 'DE', text: 'Germany', calling_code: '49', regions: null },
  { value: 'GG', text: 'Guernsey', calling_code: '44', regions: null },
  { value: 'GB', text: 'United Kingdom', calling_code: '44', regions: null },
  {
    value: 'US',
    text: 'United States',
    calling_code: '1',
    regions: [
      { value: 'CA', text: 'California' },
      { value: 'TX', text: 'Texas' },
    ],
  },
] as const
