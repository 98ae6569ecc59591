/**
 * `/simulator/*`: the wallet simulator under this service's own address. Only in sandbox mode. Chapter 40 §20.3.
 *
 * The simulator plays the wallet providers and knows no merchants. This file replaces a merchant's key by the data that a wallet provider
 * has about the merchant, its identifier and public keys, and adds to a minted token the requests that carry it.
 *
 * Everyone may mint, because tokens of a sandbox authority are worthless elsewhere. Changes of an account, and requests signed in a
 * merchant's name, are restricted to callers on this machine.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Merchant, Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Configuration } from '../../../contracts/ports.ts'
import { noteRequest } from '../../../observe/requests.ts'
import { notFound, plainPath, type SandboxProxy, sandboxProxy } from '../../kit/sandbox-proxy.ts'
import { isLocal } from './local-caller.ts'
import { type Fields, readFields, readWallet } from './mint-fields.ts'
import { phoneUrl } from './phone-url.ts'
import { readyRequests } from './ready-requests.ts'

interface SimulatorOptions {
  /** Where the sandbox listens now. */
  readonly url: () => string
  readonly publicUrl: () => string
  readonly configuration: Pick<Configuration, 'byKey' | 'merchant' | 'mapping' | 'readSecrets'>
  /** The data that a wallet provider has about the merchant; null if the merchant's settings do not trust the sandbox authority. */
  readonly findRecipient: (merchant: Merchant, mode: Mode, wallet: Wallet) => Promise<object | null>
  readonly enable: (merchant: Merchant, mode: Mode, wallet: Wallet) => Promise<unknown>
}

export const simulator =
  (options: SimulatorOptions) =>
  async (app: FastifyInstance): Promise<void> => {
    const parts: Parts = { ...options, proxy: sandboxProxy(app, options.url) }
    for (const [method, url, handle] of routes) {
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          noteRequest(request, { protocol: 'page' })
          const path = sandboxPath(request.url)
          if (forAllPages.has(`${method} ${url}`)) reply.headers(readableByAllPages)
          return path === null ? notFound(reply) : handle(parts, { request, reply, path })
        },
      })
    }
    app.options('/simulator/api/*', async (_, reply) => reply.code(204).headers(preflightHeaders).send())
  }

interface Parts extends SimulatorOptions {
  readonly proxy: SandboxProxy
}

interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The path of the same resource at the sandbox. */
  readonly path: string
}

type Handle = (parts: Parts, visit: Visit) => Promise<FastifyReply>

const pass: Handle = ({ proxy }, { request, reply, path }) => proxy.forward(request, reply, path)
const stream: Handle = ({ proxy }, { request, reply, path }) => proxy.stream(request, reply, path)
const forLocalCallers =
  (handle: Handle): Handle =>
  async (parts, visit) =>
    isLocal(visit.request)
      ? handle(parts, visit)
      : fail(visit.reply, 403, 'forbidden', 'Allowed only from the same machine.')

// biome-ignore format: a table is read in columns.
const routes: readonly (readonly ['GET' | 'POST', string, Handle])[] = [
  // address                                            answered by
  ['GET',  '/simulator/phone',                          pass],
  ['POST', '/simulator/phone',                          pass],
  // Replaces the wallet providers' scripts in a page.
  ['GET',  '/simulator/stand-in.js',                    pass],
  ['POST', '/simulator/api/tokens',                     mintToken],
  ['GET',  '/simulator/api/tokens/:id',                 pass],
  ['GET',  '/simulator/api/cards',                      pass],
  ['GET',  '/simulator/api/faults',                     pass],
  ['GET',  '/simulator/api/authority',                  pass],
  ['POST', '/simulator/api/authority/rotate',           forLocalCallers(pass)],
  ['POST', '/simulator/api/merchants/:key/enable',      forLocalCallers(enableWallets)],
  ['POST', '/simulator/api/scan',                       beginScan],
  ['GET',  '/simulator/api/scan/:code',                 pass],
  ['POST', '/simulator/api/scan/:code/confirm',         pass],
  ['POST', '/simulator/api/scan/:code/cancel',          pass],
  ['GET',  '/simulator/api/scan/:id/events',            stream],
]

/**
 * What the replacement of a wallet's script needs on a merchant's own page, which the SDK runs on another origin. Nothing of it depends on who
 * asks, and there are no cookies.
 */
const forAllPages: ReadonlySet<string> = new Set([
  'GET /simulator/stand-in.js',
  'POST /simulator/api/tokens',
  'GET /simulator/api/cards',
  'GET /simulator/api/faults',
  'POST /simulator/api/scan',
  'GET /simulator/api/scan/:id/events',
])

const readableByAllPages = { 'access-control-allow-origin': '*' } as const
const preflightHeaders = {
  ...readableByAllPages,
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '600',
} as const

/** `/simulator/phone` is `/wallet/phone` at the sandbox, `/simulator/api/tokens` is `/wallet/tokens`. */
function sandboxPath(url: string): string | null {
  const path = plainPath(url)
  if (path === null) return null
  const [, ...rest] = path.segments
  return `/wallet/${(rest[0] === 'api' ? rest.slice(1) : rest).join('/')}${path.query}`
}

async function mintToken(parts: Parts, { request, reply, path }: Visit): Promise<FastifyReply> {
  const target = await findTarget(parts, request)
  if (target.kind === 'fault') return fail(reply, 400, 'invalid_request', target.fault)
  const answer = await parts.proxy.ask(request, path, target.body)
  if (answer === null) return fail(reply, 502, 'sandbox_away', 'The sandbox does not answer. Please try again.')
  const minted = readFields(answer.body)
  if (answer.status !== 200 || minted === null || !isLocal(request)) return reply.code(answer.status).send(answer.body)
  const { merchant, mode, body } = target
  const mapping = (protocol: 'S2S_CARD' | 'S2S_APM') => parts.configuration.mapping(merchant.id, protocol)
  const requests = readyRequests({
    clientKey: mode === 'live' ? merchant.key : merchant.testKey,
    password: (await parts.configuration.readSecrets(merchant.id)).password,
    digests: { card: mapping('S2S_CARD')?.digest ?? 'md5', apm: mapping('S2S_APM')?.digest ?? 'md5' },
    publicUrl: parts.publicUrl(),
    wallet: target.wallet,
    orderId: `SIMULATED-${String(minted['id'])}`,
    amount: String(body['amount']),
    currency: String(body['currency']),
    token: String(minted['token']),
  })
  return reply.send({ ...minted, requests })
}

async function beginScan(parts: Parts, { request, reply, path }: Visit): Promise<FastifyReply> {
  const target = await findTarget(parts, request)
  if (target.kind === 'fault') return fail(reply, 400, 'invalid_request', target.fault)
  const publicUrl = parts.publicUrl()
  const scan = {
    shop_name: target.merchant.title,
    domain: new URL(publicUrl).hostname,
    ...target.body,
    phone_url: phoneUrl(target.body['phone_url'], `${publicUrl}/simulator/phone`),
  }
  return parts.proxy.forward(request, reply, path, Buffer.from(JSON.stringify(scan)))
}

interface MintTarget {
  readonly kind: 'addressed'
  readonly merchant: Merchant
  readonly mode: Mode
  readonly wallet: Wallet
  /** The body of the request to the sandbox. */
  readonly body: Fields
}

/** The validated request with the wallet provider's data about the merchant, or its fault. */
async function findTarget(
  { configuration, findRecipient }: Parts,
  request: FastifyRequest,
): Promise<MintTarget | Fault> {
  const fields = readFields(request.body)
  if (fields === null) return faultOf('The body is not a JSON object.')
  const wallet = readWallet(fields)
  if (wallet === null) return faultOf('wallet: Use walletapay or walletbpay.')
  const { merchant_key: sentKey, amount = '1.99', currency = 'USD' } = fields
  const key = typeof sentKey === 'string' ? sentKey : ''
  const known = configuration.byKey(key) ?? merchantByPublicId(configuration, key)
  if (known === null) return faultOf('merchant_key: No merchant has this key.')
  const addressee = await findRecipient(known.merchant, known.mode, wallet)
  if (addressee === null)
    return faultOf(
      `merchant_key: ${wallet} is not enabled for testing. Run "gatehouse wallet enable ${known.merchant.name}", or POST /simulator/api/merchants/${key}/enable.`,
    )
  return { kind: 'addressed', ...known, wallet, body: { ...fields, wallet, amount, currency, recipient: addressee } }
}

/** Pages name the merchant by the public id, because payers load them. */
function merchantByPublicId(configuration: Pick<Configuration, 'merchant'>, publicId: string) {
  const known = configuration.merchant(publicId.replace(/^test-/, ''))
  return known && { merchant: known, mode: publicId === known.id ? ('live' as const) : ('test' as const) }
}

interface Fault {
  readonly kind: 'fault'
  readonly fault: string
}

const faultOf = (fault: string): Fault => ({ kind: 'fault', fault })

async function enableWallets(parts: Parts, { request, reply }: Visit): Promise<FastifyReply> {
  const fields = Buffer.isBuffer(request.body) ? readFields(request.body) : {}
  const wallet = fields?.['wallet'] === undefined ? undefined : readWallet(fields)
  if (fields === null || wallet === null)
    return fail(reply, 400, 'invalid_request', 'wallet: Use walletapay or walletbpay.')
  const known = parts.configuration.byKey(keyIn(request))
  if (known === null) return fail(reply, 404, 'merchant_not_found', 'No merchant has this key.')
  const wallets = wallet === undefined ? (['walletapay', 'walletbpay'] as const) : [wallet]
  for (const one of wallets) await parts.enable(known.merchant, known.mode, one)
  return reply.send({ merchant: known.merchant.name, side: known.mode, enabled: wallets })
}

const keyIn = ({ params }: FastifyRequest): string => {
  const key = readFields(params)?.['key']
  return typeof key === 'string' ? key : ''
}

/** In the error format of the sandbox, so that one client reads both. */
const fail = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  reply.code(status).send({ error: { code, message } })
