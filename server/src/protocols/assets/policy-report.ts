/** POST /page/v1/report: a browser reports an action that the page's Content Security Policy forbids. Chapter 30 §7.9, chapter 80 §5. */
import type { FastifyInstance } from 'fastify'
import { isObject } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'
import type { PolicyReport, PolicyReports } from '../../contracts/policy-reports.ts'
import type { Alerts, Clock } from '../../contracts/ports.ts'
import { noteRequest } from '../../observe/requests.ts'
import { Buckets } from '../kit/rate-limit.ts'

/** The route is open to everyone, so alerts are limited in rate, and so are reports. */
const alertRate = { perSecond: 10 / 3600, burst: 10 }
const reportRate = { perSecond: limits.policyReports.perSecond, burst: limits.policyReports.burst }
const longest = 200

interface ReportParts {
  readonly alerts: Alerts
  readonly reports: PolicyReports
  readonly clock: Clock
}

export function policyReports(app: FastifyInstance, { alerts, reports, clock }: ReportParts): void {
  const limiter = new Buckets(clock, 16)
  app.post('/page/v1/report', async (request, reply) => {
    noteRequest(request, { protocol: 'page', action: 'policy-report' })
    const report = reportIn(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
    if (report !== null && limiter.take('report', reportRate).allowed) {
      const isNew = await reports.add(report)
      if (isNew && limiter.take('alert', alertRate).allowed) {
        const text = `A browser reported a violation of the content security policy: ${report.rule} by ${report.blocked}.`
        await alerts.raise({ kind: 'policy-report', merchantId: null, paymentId: null, text })
      }
    }
    return reply.code(204).send()
  })
}

/** Reads the first report of a list: a browser that sends several has found the same violation several times. */
function reportIn(body: Buffer): PolicyReport | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    const [first]: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
    const report = membersOf(membersOf(first)['csp-report'] ?? membersOf(first)['body'])
    const rule = report['effective-directive'] ?? report['violated-directive'] ?? report['effectiveDirective']
    if (typeof rule !== 'string' || !/^[a-z][a-z-]{2,40}(?: |$)/.test(rule)) return null
    return {
      rule: rule.split(' ')[0] ?? '',
      blocked: originOf(report['blocked-uri'] ?? report['blockedURL']),
      page: pageOf(report['document-uri'] ?? report['documentURL']),
      source: sourceOf(report['source-file'] ?? report['sourceFile']),
    }
  } catch {
    return null
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

function originOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') return 'something unknown'
  const url = URL.parse(value)
  // The origin of a scheme without hosts, such as an extension's in some browsers, is the word null.
  return url === null ? printable(value).slice(0, 40) : shorten(url.origin === 'null' ? url.protocol : url.origin)
}

function pageOf(value: unknown): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null) return ''
  const [, folder = '', ...rest] = url.pathname.split('/')
  return shorten(rest.length > 0 && /^[a-z0-9-]{1,20}$/.test(folder) ? `${url.host}/${folder}/` : url.host)
}

/** A script's address is public, but one that looks like a session's token is not kept. */
function sourceOf(value: unknown): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null) return ''
  if (url.origin === 'null') return shorten(url.protocol)
  return shorten(/\.m?js$/.test(url.pathname) ? `${url.origin}${url.pathname}` : url.origin)
}

const shorten = (text: string): string => printable(text).slice(0, longest)
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '')
