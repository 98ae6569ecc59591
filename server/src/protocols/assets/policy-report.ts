/** POST /page/v1/report: a browser reports an action that the page's Content Security Policy forbids. Chapter 30 §7.9. */
import type { FastifyInstance } from 'fastify'
import { isObject } from '#domain/json.ts'
import type { Alerts, Clock } from '../../contracts/ports.ts'
import { noteRequest } from '../../observe/requests.ts'
import { Buckets } from '../kit/rate-limit.ts'

/** The route is open to everyone, so alerts are limited in rate. */
const alertRate = { perSecond: 10 / 3600, burst: 10 }
const longest = 500

export function policyReports(app: FastifyInstance, { alerts, clock }: { alerts: Alerts; clock: Clock }): void {
  const alertLimiter = new Buckets(clock, 16)
  app.post('/page/v1/report', async (request, reply) => {
    noteRequest(request, { protocol: 'page', action: 'policy-report' })
    const report = reportIn(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
    if (report !== null) {
      request.log.warn({ report }, 'A browser reported a violation of the content security policy.')
      if (alertLimiter.take('report', alertRate).allowed) {
        const text = `A browser reported a violation of the content security policy: ${report}.`
        await alerts.raise({ kind: 'policy-report', merchantId: null, paymentId: null, text })
      }
    }
    return reply.code(204).send()
  })
}

/** The violated rule and the blocked address. The page's own address is left out, because it contains the session's token. */
function reportIn(body: Buffer): string | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    const [first]: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
    const report = membersOf(membersOf(first)['csp-report'] ?? membersOf(first)['body'])
    const rule = report['effective-directive'] ?? report['violated-directive'] ?? report['effectiveDirective']
    const blocked = report['blocked-uri'] ?? report['blockedURL']
    return typeof rule === 'string' ? `${rule} by ${originOf(blocked)}`.slice(0, longest) : null
  } catch {
    return null
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

function originOf(value: unknown): string {
  if (typeof value !== 'string') return 'something unknown'
  return URL.canParse(value) ? new URL(value).origin : value.slice(0, 40)
}
