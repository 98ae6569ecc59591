/**
 * `/admin` and every address below it: the panel. All get the same empty page, in which the script renders the page of the address. It is
 * the same for every visitor, so that it needs no session. Chapter 50 §8.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noteRequest } from '../../../observe/requests.ts'
import type { WebFile, WebFiles } from '../../assets/web-files.ts'
import { type Html, html } from '../../payer-pages/html.ts'
import { commonHeaders, isPlainHttp } from '../../payer-pages/page.ts'

interface AdminPagesParts {
  readonly files: WebFiles
  readonly panelUrl: () => string
  /** Where the card fields of the virtual terminal are served. */
  readonly fieldsUrl: () => string
  readonly isPanelHost: (host: string | undefined) => boolean
  /** Called when the page has been sent, whose script will send requests at once. */
  readonly onVisit?: () => void
}

export const adminPages =
  ({ files, panelUrl, fieldsUrl, isPanelHost, onVisit }: AdminPagesParts) =>
  async (app: FastifyInstance): Promise<void> => {
    const page = pageOf(files)
    const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      noteRequest(request, { protocol: 'page' })
      if (!isPanelHost(request.headers.host))
        return reply.code(404).type('text/plain').send('The panel is not available at this address.')
      if (onVisit) reply.raw.once('finish', onVisit)
      const policy = { 'content-security-policy': policyWith(new URL(fieldsUrl()).origin) }
      return reply.headers({ ...commonHeaders(isPlainHttp(panelUrl())), ...headers, ...policy }).send(page)
    }
    app.get('/admin', answer)
    app.get('/admin/*', answer)
  }

/**
 * Allows scripts, styles and requests of this host only, no embedding, and no markup from text. Frames inside are the preview of the hosted
 * page and the card fields of the virtual terminal.
 */
const policyWith = (fieldsOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src 'self' ${fieldsOrigin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

const pageOf = (files: WebFiles): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Gatehouse</title>
${styleOf(files.find('admin.css'))}${scriptOf(files.find('admin.js'))}</head>
<body>
<noscript><p>The panel needs JavaScript.</p></noscript>
<div id="panel"></div>
</body>
</html>
`.markup

const styleOf = (file: WebFile | null): Html =>
  file
    ? html`<link rel="stylesheet" href="${file.path}" integrity="${file.integrity}" crossorigin="anonymous">\n`
    : html``

const scriptOf = (file: WebFile | null): Html =>
  file
    ? html`<script type="module" src="${file.path}" integrity="${file.integrity}" crossorigin="anonymous"></script>\n`
    : html``
