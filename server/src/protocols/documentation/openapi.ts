/** The OpenAPI documents at `/openapi/<name>.json`, with the address of this instance as their server. They are built before the start. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { noteRequest } from '../../observe/requests.ts'

interface OpenApiOptions {
  readonly publicUrl: () => string
  readonly panelUrl: () => string
}

/** Read on the first request: most processes never serve them. */
export function openApiRoutes(app: FastifyInstance, { publicUrl, panelUrl }: OpenApiOptions): void {
  const servers = {
    checkout: publicUrl,
    's2s-card': publicUrl,
    's2s-apm': publicUrl,
    admin: () => `${panelUrl()}/admin/api`,
  }
  for (const [name, serverUrl] of Object.entries(servers)) {
    app.get(`/openapi/${name}.json`, (request, reply) => {
      noteRequest(request, { protocol: 'page' })
      return reply
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'public, max-age=300',
          'x-content-type-options': 'nosniff',
          // Viewers and generators in a browser read it from other origins; it contains nothing of a merchant.
          'access-control-allow-origin': '*',
        })
        .send(JSON.stringify({ ...documentNamed(name), servers: [{ url: serverUrl() }] }))
    })
  }
}

const documents = new Map<string, object>()

function documentNamed(name: string): object {
  const known = documents.get(name)
  if (known) return known
  const file = new URL(`../../../../web/.built-interface/openapi/${name}.json`, import.meta.url)
  const document: object = JSON.parse(readFileSync(file, 'utf8'))
  documents.set(name, document)
  return document
}
