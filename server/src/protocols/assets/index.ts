/**
 * Scripts, styles and texts for browsers. Chapter 30 §7.9, §8.3.
 *
 * Files under `/web/…` are named after their content and never change. Merchants' pages load from `/sdk/…`: the current script, or the
 * script of one release, whose hash a page may pin.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import type { PolicyReports } from '../../contracts/policy-reports.ts'
import type { Alerts } from '../../contracts/ports.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { noteRequest } from '../../observe/requests.ts'
import { speakJson } from '../checkout/routes.ts'
import { inventoryOf } from './inventory.ts'
import { policyReports } from './policy-report.ts'
import type { WebFile, WebFiles } from './web-files.ts'

interface AssetParts {
  readonly files: WebFiles
  readonly release: string
  readonly alerts: Alerts
  readonly policyReports: PolicyReports
  readonly clock: { now(): Date }
}

const forEver = 'public, max-age=31536000, immutable'
/** Deployed pages load these addresses for years, so they are cached briefly: a new release reaches them within minutes. */
const forMinutes = 'public, max-age=300'
const sdkScripts = ['hosted-fields.js', 'pay-session.js'] as const

export const assets =
  ({ files, release, alerts, policyReports: reports, clock }: AssetParts) =>
  async (app: FastifyInstance): Promise<void> => {
    speakJson(app)
    webFileRoutes(app, files)
    for (const name of sdkScripts) {
      app.get(`/sdk/${name}`, (request, reply) => {
        notePage(request)
        return send(request, reply, files.find(name), forMinutes)
      })
      app.get<{ Params: { release: string } }>(`/sdk/:release/${name}`, (request, reply) => {
        notePage(request)
        const isThis = request.params.release === release
        return send(request, reply, isThis ? files.find(name) : null, forEver)
      })
    }
    app.get('/sdk/inventory.json', (request, reply) => {
      notePage(request)
      return reply.header('cache-control', forMinutes).send(inventoryOf(files))
    })
    policyReports(app, { alerts, reports, clock })
    await alertAltered(files, alerts)
  }

const notePage = (request: FastifyRequest): void => noteRequest(request, { protocol: 'page' })

/** The files of this service's own pages, including the panel's. */
export function webFileRoutes(app: FastifyInstance, files: WebFiles): void {
  app.get<{ Params: { file: string } }>('/web/:file', (request, reply) => {
    notePage(request)
    return send(request, reply, files.file(request.params.file), forEver)
  })
}

/** A file that differs from its build may have been tampered with. */
async function alertAltered({ altered }: WebFiles, alerts: Alerts): Promise<void> {
  for (const name of altered) {
    const text = `The file ${name} was changed after it was built and is not served. Build it again and find the cause of the change.`
    await alerts.raise({ kind: 'script-altered', merchantId: null, paymentId: null, text })
  }
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile | null,
  cached: string,
): Promise<FastifyReply> {
  if (!file) throw new RefusedError(errors.routeNotSupported)
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const [encoding, content] = accepted.includes('br')
    ? (['br', await file.readBrotli()] as const)
    : accepted.includes('gzip')
      ? (['gzip', await file.readGzip()] as const)
      : ([null, file.content] as const)
  if (encoding !== null) reply.header('content-encoding', encoding)
  return reply
    .headers({
      'content-type': file.type,
      'cache-control': cached,
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      // A page of another origin can check the pinned hash only if it may read the script.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(content)
}
