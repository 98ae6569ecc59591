/** The hosted page, its JSON API, and hosted fields. Chapter 30 §7, §8. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { formFileType } from '#domain/checkout/form-file.ts'
import { errors } from '#domain/errors.ts'
import { isUuid } from '#domain/uuid.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { noteRequest } from '../../observe/requests.ts'
import { speakJson } from '../checkout/routes.ts'
import { fieldsRoutes } from './fields/routes.ts'
import { showPage } from './page.ts'
import { pageApi } from './page-api.ts'
import type { HostedPageParts } from './parts.ts'
import { keptFile, logoRoute } from './session/branding.ts'
import { showTerms } from './terms-page.ts'

/** The action names in the metrics. */
export const pageActions: readonly string[] = [
  'page',
  'page-session',
  'page-payment',
  'page-state',
  'page-cancel-step',
  'page-close',
  'page-wallet-session',
  'page-wallet-missing',
  'page-countries',
  'policy-report',
  'frame',
  'fields-collect',
  'fields-processing',
  'session-update',
]

export const hostedPage =
  (parts: HostedPageParts) =>
  async (app: FastifyInstance): Promise<void> => {
    speakJson(app)
    app.get<{ Params: { token: string } }>('/auth/:token', { exposeHeadRoute: false }, (request, reply) => {
      noteRequest(request, { protocol: 'page', action: 'page' })
      return showPage(parts, request.params.token, request, reply)
    })
    app.get('/terms', { exposeHeadRoute: false }, (request, reply) => showTerms(parts, request, reply))
    app.get<{ Params: { form: string; '*': string } }>('/forms/:form/*', { exposeHeadRoute: false }, (request, reply) =>
      sendFormFile(parts, request.params.form, request.params['*'], reply),
    )
    logoRoute(app, parts)
    pageApi(app, parts)
    fieldsRoutes(app, parts)
  }

/** A version of a form never changes, so its files may be cached for good. */
async function sendFormFile(
  { forms }: HostedPageParts,
  form: string,
  path: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = formFileType(path)
  const content = type !== null && isUuid(form) ? await forms.findFile(form, path) : null
  if (type === null || content === null) throw new RefusedError(errors.routeNotSupported)
  return reply.headers({ 'content-type': type, ...keptFile, ...forSandboxedForm }).send(content)
}

/** A form without an origin may load fonts and modules only if every origin may. */
const forSandboxedForm = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const
