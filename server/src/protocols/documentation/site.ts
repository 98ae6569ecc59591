/** `/docs`: the documentation site, and the reader's own values for its examples. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noteRequest } from '../../observe/requests.ts'
import { isLocal } from '../sandbox/simulator/local-caller.ts'
import type { BuiltSite, SitePage } from './built-site.ts'

/** The merchant whose key and password the greeting of a sandbox prints. */
interface DemoReader {
  readonly title: string
  readonly key: string
  readonly password: string
}

export interface SiteOptions {
  readonly site: BuiltSite
  readonly publicUrl: () => string
  readonly instanceMode: 'sandbox' | 'live'
  /** Whether the panel has the same address. */
  readonly hasPanel: boolean
  /** Null on a live instance, and on a sandbox without its demo merchant. */
  readonly readDemoReader: () => Promise<DemoReader | null>
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'public, max-age=300',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

export function siteRoutes(app: FastifyInstance, options: SiteOptions): void {
  const { site } = options
  app.addHook('onRequest', async (request) => noteRequest(request, { protocol: 'page' }))
  app.get('/docs', async (request, reply) => sendPage(request, reply, await site.readPage('')))
  app.get<{ Params: { page: string } }>('/docs/:page', async (request, reply) => {
    const page = request.params.page === '' ? null : await site.readPage(request.params.page)
    return page ? sendPage(request, reply, page) : reply.code(404).headers(pageHeaders).send(site.document(missingPage))
  })
  app.get('/docs/search.json', async (request, reply) => {
    reply.headers({ ...pageHeaders, 'content-type': 'application/json; charset=utf-8' })
    return send(request, reply, await site.search())
  })
  app.get('/docs/reader.json', async (request, reply) =>
    reply.header('cache-control', 'no-store').send(await describeReader(request, options)),
  )
}

const missingPage = {
  title: 'Page not found',
  body: '<main id="main" class="alone"><h1>Page not found</h1><p>There is no such page. <a href="%HOME%">Go to the overview</a>.</p></main>',
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: SitePage | null): FastifyReply {
  reply.headers(pageHeaders)
  return page ? send(request, reply, page) : reply.code(404).send('')
}

function send(request: FastifyRequest, reply: FastifyReply, { content, gzipped }: SitePage): FastifyReply {
  reply.header('vary', 'accept-encoding')
  const accepts = String(request.headers['accept-encoding'] ?? '').includes('gzip')
  return accepts ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(content)
}

/** The password goes only to a browser on the machine on which the sandbox printed it. */
async function describeReader(
  request: FastifyRequest,
  { publicUrl, instanceMode, hasPanel, readDemoReader }: SiteOptions,
) {
  const demo = instanceMode === 'sandbox' ? await readDemoReader() : null
  return {
    mode: instanceMode,
    base_url: publicUrl(),
    panel: hasPanel,
    merchant: demo && { title: demo.title, key: demo.key, password: isLocal(request) ? demo.password : null },
  }
}

/** Headers of a page of the service in the style of the documentation. */
export const sitePageHeaders = pageHeaders
