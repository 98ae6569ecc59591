/**
 * The events feed: GET /events?after=CURSOR, or ?last=N for the newest. A merchant whose receiver was down, or that sees a gap in
 * `webhook-sequence`, fetches its callbacks here. A path of our own beside the interface; signed as callbacks are, with the merchant's own
 * secret. The steps are those of `kit/serve.ts` without mapping and table: it serves every protocol, and the signature covers headers
 * and address, not parameters.
 */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { verifyWebhook } from '#domain/signature/signature.ts'
import type { EventFeed } from '../../contracts/event-feed.ts'
import type { Clock, Configuration } from '../../contracts/ports.ts'
import { invalid } from '../../contracts/refused-error.ts'
import { callerAddress, type IpList } from '../../network/ip-list.ts'
import { noteRequest } from '../../observe/requests.ts'
import type { Gate } from '../../overload/gate.ts'
import { admit, countFailure, requireMerchantByKey } from '../kit/admission.ts'
import { answerRefused } from '../kit/form-routes.ts'
import { countOpenRequests } from '../kit/open-requests.ts'
import type { RequestLimiter } from '../kit/rate-limit.ts'
import { type Cursor, readCursor } from './cursor.ts'
import { feedPage } from './feed-page.ts'

interface EventsService {
  readonly feed: EventFeed
  readonly configuration: Configuration
  readonly limiter: RequestLimiter
  readonly gate: Gate
  readonly clock: Clock
  /** Not moved with the clock of a sandbox: merchants sign and verify by their own. */
  readonly machineClock: Clock
  readonly trustedProxies: IpList
}

const path = '/events'

export function events(service: EventsService): FastifyPluginCallback {
  return (app, _options, done) => {
    app.setErrorHandler(answerRefused)
    countOpenRequests(app, service.gate)
    app.get(path, async (request, reply) => {
      noteRequest(request, { protocol: 'service', action: 'events' })
      const page = await serve(service, request)
      return reply.type('application/json').header('cache-control', 'no-store').send(JSON.stringify(page))
    })
    done()
  }
}

async function serve(service: EventsService, request: FastifyRequest): Promise<object> {
  const { configuration, limiter, gate, clock, machineClock } = service
  const known = requireMerchantByKey(configuration, header(request, 'webhook-key'), 'webhook-key')
  noteRequest(request, { merchantId: known.merchant.id })
  const address = callerAddress(request.raw, service.trustedProxies)
  admit(limiter, known, address)
  const [after, last] = [cursorIn(request), lastIn(request)]
  if (after && last !== null) throw invalid({ param: 'last', text: violations.notValid })
  const { webhookSecrets } = await configuration.readSecrets(known.merchant.id)
  const secrets = webhookSecrets.map((secret) => secret.reveal())
  if (!isSigned(request, secrets, machineClock)) {
    countFailure(limiter, known, address)
    throw invalid({ param: 'webhook-signature', text: violations.hash })
  }
  const { merchant, mode } = known
  const page = { merchantId: merchant.id, mode, after, last, secrets, now: clock.now(), signedAt: machineClock.now() }
  const ticket = { merchant: header(request, 'webhook-key'), continues: true }
  return gate.pass(ticket, () => feedPage(service.feed, page))
}

/** `<key>.<timestamp>.GET /events?after=…`, with the query as sent; a proxy may have removed what precedes the path. */
function isSigned(request: FastifyRequest, secrets: readonly string[], clock: Clock): boolean {
  const mark = request.url.indexOf('?')
  const target = `GET ${path}${mark === -1 ? '' : request.url.slice(mark)}`
  const headers = {
    id: header(request, 'webhook-key'),
    timestamp: header(request, 'webhook-timestamp'),
    signature: header(request, 'webhook-signature'),
  }
  const nowSeconds = clock.now().getTime() / 1000
  return secrets.some((secret) => verifyWebhook(secret, headers, target, { nowSeconds }))
}

const parameter = ({ query }: FastifyRequest, wanted: string): unknown =>
  Object.entries(query ?? {}).find(([name]) => name === wanted)?.[1]

function cursorIn(request: FastifyRequest): Cursor | null {
  const after = parameter(request, 'after')
  if (after === undefined || after === '') return null
  const cursor = typeof after === 'string' ? readCursor(after) : null
  if (!cursor) throw invalid({ param: 'after', text: violations.notValid })
  return cursor
}

function lastIn(request: FastifyRequest): number | null {
  const last = parameter(request, 'last')
  if (last === undefined) return null
  const count = typeof last === 'string' && /^[0-9]{1,3}$/.test(last) ? Number(last) : Number.NaN
  if (!(count <= limits.events.page)) throw invalid({ param: 'last', text: violations.notValid })
  return count
}

function header({ headers }: FastifyRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
