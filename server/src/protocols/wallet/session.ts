/**
 * Wallet sessions for merchants' own pages: a merchant without an account at the maker has no certificate to ask with, so the
 * service asks. POST /api/v1/wallet/session, Chapter 40 §16. The checks come in the order of the other server-to-server requests.
 */

import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Violation, violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { type Merchant, type Mode, protocols } from '#domain/merchant.ts'
import { type Digest, verifiesCheckout } from '#domain/signature/signature.ts'
import type { Clock, Configuration, WalletSessions } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import { allowsAddress, callerAddress, type IpList, parseIpList } from '../../network/ip-list.ts'
import { noteRequest } from '../../observe/requests.ts'
import { readJsonBody } from '../kit/bodies/json-body.ts'
import type { Value, ValueTree } from '../kit/bodies/value-tree.ts'
import { errorBody } from '../kit/error-body.ts'
import { refusedBy } from '../kit/form-routes.ts'
import type { RequestLimiter } from '../kit/rate-limit.ts'

interface WalletSessionService {
  readonly configuration: Configuration
  readonly sessions: WalletSessions
  readonly limiter: RequestLimiter
  readonly clock: Clock
  readonly trustedProxies: IpList
}

const sessionPath = '/api/v1/wallet/session'

/** hash = sha1(H(up(domain . wallet . password))). */
const sessionFormula = ['domain', 'wallet'] as const

export function walletSession(service: WalletSessionService): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.request.bodyBytes }, (_, body, parsed) =>
      parsed(null, body),
    )
    app.setErrorHandler(refuse)
    app.post(sessionPath, async (request, reply) => {
      noteRequest(request, { protocol: 'service' })
      const session = await serve(service, request)
      // The maker's object as it came: it is signed, and one byte more or less would spoil it.
      return reply.type('application/json').header('cache-control', 'no-store').send(`{"session":${session}}`)
    })
    done()
  }
}

async function serve(service: WalletSessionService, request: FastifyRequest): Promise<string> {
  const body = bodyOf(request)
  const known = merchantOf(service, body)
  const address = callerAddress(request.raw, service.trustedProxies)
  admit(service, known, address)
  const digest = digestOf(service, known.merchant)
  const fields = fieldsOf(body)
  await checkHash(service, known, digest, fields, address)
  const { merchant, mode } = known
  const answer = await service.sessions.open({
    merchantId: merchant.id,
    mode,
    domain: fields.domain.toLowerCase(),
    validationUrl: null,
  })
  if (answer.ok) return answer.session
  if (answer.because === 'domain') throw invalid({ param: 'domain', text: violations.notCorrect })
  throw new RefusedError(answer.because === 'not usable' ? errors.walletNotSupported : errors.walletSessionUnavailable)
}

function bodyOf({ body }: FastifyRequest): ValueTree {
  const reading = readJsonBody(Buffer.isBuffer(body) ? body : Buffer.alloc(0), [])
  if (reading.ok) return reading.tree
  throw new RefusedError(reading.fault === 'too-large' ? errors.requestTooLarge : errors.requestInvalid)
}

interface Known {
  readonly merchant: Merchant
  readonly mode: Mode
}

function merchantOf({ configuration }: WalletSessionService, { merchant_key: key }: ValueTree): Known {
  if (key === undefined || key === null || key === '') throw invalid({ param: 'merchant_key', text: violations.blank })
  const known = typeof key === 'string' ? configuration.byKey(key.toLowerCase()) : null
  if (!known || known.merchant.status === 'blocked')
    throw invalid({ param: 'merchant_key', text: violations.notCorrect })
  if (known.mode === 'live' && known.merchant.testOnly) throw new RefusedError(errors.useTestKey)
  return known
}

function admit({ limiter }: WalletSessionService, { merchant, mode }: Known, address: string): void {
  const list = parseIpList(merchant.allowedIps)
  if (!list.ok || !allowsAddress(list.list, address)) throw new RefusedError(errors.ipNotAllowed)
  const permission = limiter.request(mode === 'live' ? merchant.key : merchant.testKey, address)
  if (permission.allowed) return
  throw new RefusedError(errors.tooManyRequests, { retryAfterSeconds: permission.retryAfterSeconds })
}

/** H is that of the first enabled mapping, in this order. */
function digestOf({ configuration }: WalletSessionService, { id }: Merchant): Digest {
  const mapping = protocols.map((protocol) => configuration.mapping(id, protocol)).find((found) => found !== null)
  if (mapping === undefined) throw new RefusedError(errors.protocolMappingNotFound)
  return mapping.digest
}

interface Fields {
  readonly domain: string
  readonly wallet: string
  readonly hash: Value
}

function fieldsOf({ wallet, domain, hash }: ValueTree): Fields {
  const faults: Violation[] = []
  if (isBlank(wallet)) faults.push({ param: 'wallet', text: violations.blank })
  else if (wallet !== 'walletapay') faults.push({ param: 'wallet', text: violations.notChoice })
  if (isBlank(domain)) faults.push({ param: 'domain', text: violations.blank })
  else if (typeof domain !== 'string') faults.push({ param: 'domain', text: violations.wrongType('string') })
  if (isBlank(hash)) faults.push({ param: 'hash', text: violations.blank })
  if (faults.length > 0 || typeof domain !== 'string' || wallet !== 'walletapay') throw invalid(...faults)
  return { domain, wallet, hash: hash ?? null }
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

async function checkHash(
  { configuration, clock, limiter }: WalletSessionService,
  { merchant, mode }: Known,
  digest: Digest,
  { domain, wallet, hash }: Fields,
  address: string,
): Promise<void> {
  const { password, previous } = await configuration.secrets(merchant.id)
  const stillGood = previous && previous.until > clock.now() ? [previous.password] : []
  const passwords = [password, ...stillGood].map((one) => one.reveal())
  if (verifiesCheckout(hash, sessionFormula, { domain, wallet }, { passwords, digest })) return
  const permission = limiter.failure(mode === 'live' ? merchant.key : merchant.testKey, address)
  if (!permission.allowed)
    throw new RefusedError(errors.tooManyRequests, { retryAfterSeconds: permission.retryAfterSeconds })
  throw invalid({ param: 'hash', text: violations.hash })
}

function refuse(error: FastifyError | RefusedError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = refusedBy(error)
  // What the maker did not answer was logged where it was asked.
  if (!(error instanceof RefusedError) && refused.refusal.http >= 500)
    request.log.error({ err: error }, 'A request failed.')
  noteRequest(request, { result: 'ERROR' })
  if (refused.retryAfterSeconds !== null) reply.header('retry-after', String(refused.retryAfterSeconds))
  return reply.code(refused.refusal.http).type('application/json').send(errorBody(refused))
}
