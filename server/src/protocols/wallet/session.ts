/**
 * Wallet sessions for merchants' own pages: a merchant without an account at the wallet provider has no certificate to ask with, so the
 * service asks. POST /api/v1/wallet/session, Chapter 40 §16. The steps are those of `kit/serve.ts`, with the caller's address and rate
 * before the mapping: any mapping will do.
 */

import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { errors, violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import { type Merchant, protocols } from '#domain/merchant.ts'
import { type Digest, verifiesCheckout, walletSessionTerms } from '#domain/signature/signature.ts'
import type { WalletSessions } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import { callerAddress, type IpList } from '../../network/ip-list.ts'
import { noteRequest } from '../../observe/requests.ts'
import {
  admit,
  checkSignature,
  countFailure,
  type KnownMerchant,
  listValidPasswords,
  requireMerchantByKey,
} from '../kit/admission.ts'
import { readJsonBody } from '../kit/bodies/json-body.ts'
import type { Value, ValueTree } from '../kit/bodies/value-tree.ts'
import type { SignatureParts } from '../kit/dialect.ts'
import { errorBody } from '../kit/error-body.ts'
import { refusedBy } from '../kit/form-routes.ts'
import { sentSignature } from '../kit/merchant-request.ts'
import { type Param, readParams, type Values } from '../kit/values/params.ts'
import { blank, fault, type ReadResult, soundResult, soundValue } from '../kit/values/read.ts'
import { type BaseReading, jsonFormat } from '../kit/values/reading.ts'

interface WalletSessionService extends SignatureParts {
  readonly sessions: WalletSessions
  readonly trustedProxies: IpList
}

const sessionPath = '/api/v1/wallet/session'

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
      // Sent unchanged, because the wallet provider signed these bytes.
      return reply.type('application/json').header('cache-control', 'no-store').send(`{"session":${session}}`)
    })
    done()
  }
}

async function serve(service: WalletSessionService, request: FastifyRequest): Promise<string> {
  const tree = bodyOf(request)
  const known = requireMerchantByKey(service.configuration, tree['merchant_key'], 'merchant_key')
  const address = callerAddress(request.raw, service.trustedProxies)
  admit(service.limiter, known, address)
  const mapping = firstMapping(service, known.merchant)
  const input = soundValue(readParams(params, tree, { tree, format: jsonFormat }))
  await checkHash(service, { ...known, address }, mapping.digest, input)
  await checkSignature(service, known, sentSignature(request, sessionPath, address), { rule: mapping.requestSignature })
  const { merchant, mode } = known
  const answer = await service.sessions.open({
    merchantId: merchant.id,
    mode,
    domain: input.domain.toLowerCase(),
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

/** Digest and signature are those of the first enabled mapping, in this order. */
function firstMapping({ configuration }: WalletSessionService, { id }: Merchant): ProtocolMapping {
  const mapping = protocols.map((protocol) => configuration.mapping(id, protocol)).find((found) => found !== null)
  if (mapping === undefined) throw new RefusedError(errors.protocolMappingNotFound)
  return mapping
}

const isAbsent = (value: Value | undefined): value is null | '' | undefined =>
  value === undefined || value === null || value === ''

/** White space is a value here, unlike in Checkout's own requests. */
const exactParam = <T>(holds: string, judge: (path: string, value: Value) => ReadResult<T>): Param<T, BaseReading> => ({
  words: { sent: 'yes', holds },
  read: (path, _, { tree }) => {
    const value = tree[path]
    return value === undefined || isAbsent(value) ? blank(path) : judge(path, value)
  },
})

const params = {
  wallet: exactParam('`walletapay`', (path, value) =>
    value === 'walletapay' ? soundResult(value) : fault(path, violations.notChoice),
  ),
  domain: exactParam('a domain of the merchant', (path, value) =>
    typeof value === 'string' ? soundResult(value) : fault(path, jsonFormat.wrongType('string')),
  ),
  hash: exactParam('any text', (_, value) => soundResult(value)),
}

async function checkHash(
  service: WalletSessionService,
  caller: KnownMerchant & { readonly address: string },
  digest: Digest,
  { domain, wallet, hash }: Values<typeof params>,
): Promise<void> {
  const passwords = await listValidPasswords(service, caller.merchant.id)
  if (verifiesCheckout(hash, walletSessionTerms, { domain, wallet }, { passwords, digest })) return
  countFailure(service.limiter, caller, caller.address)
  throw invalid({ param: 'hash', text: violations.hash })
}

function refuse(error: FastifyError | RefusedError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = refusedBy(error)
  // A missing answer of the wallet provider has already been logged.
  if (!(error instanceof RefusedError) && refused.refusal.http >= 500)
    request.log.error({ err: error }, 'A request failed.')
  noteRequest(request, { result: 'ERROR' })
  if (refused.retryAfterSeconds !== null) reply.header('retry-after', String(refused.retryAfterSeconds))
  return reply.code(refused.refusal.http).type('application/json').send(errorBody(refused))
}
