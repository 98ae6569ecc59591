/** The merchant's branding: the part of the session answer, and the logo under its own address. Chapter 30 §7.1, §7.10. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { BrandColours, BrandTemplate } from '#domain/checkout/branding.ts'
import { errors } from '#domain/errors.ts'
import type { Merchant } from '#domain/merchant.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'

interface PageBranding {
  readonly template: BrandTemplate
  readonly colours: BrandColours
  readonly logo: { readonly hash: string } | null
}

export interface PageBrandings {
  find(merchantId: string): Promise<PageBranding | null>
  findLogo(hash: string): Promise<{ readonly type: string; readonly content: Buffer } | null>
}

interface Parts {
  readonly brandings: PageBrandings
}

export const logoPath = '/branding/'

/** The template is left out, because the page was already rendered with it. */
export interface BrandingAnswer {
  readonly name: string
  /** An address. */
  readonly logo: string | null
  readonly colours: BrandColours | null
}

export async function composeBrandingAnswer({ brandings }: Parts, { id, title }: Merchant): Promise<BrandingAnswer> {
  const branding = await brandings.find(id)
  return {
    name: title,
    logo: branding?.logo ? `${logoPath}${branding.logo.hash}` : null,
    colours: branding?.colours ?? null,
  }
}

/** The preview of the panel loads it from the panel's own host. */
export function logoRoute(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { hash: string } }>(`${logoPath}:hash`, { exposeHeadRoute: false }, (request, reply) =>
    sendLogo(parts, request.params.hash, reply),
  )
}

/** Content under a hash never changes. */
async function sendLogo({ brandings }: Parts, hash: string, reply: FastifyReply): Promise<FastifyReply> {
  const logo = /^[0-9a-f]{64}$/.test(hash) ? await brandings.findLogo(hash) : null
  if (logo === null) throw new RefusedError(errors.routeNotSupported)
  return reply.headers({ 'content-type': logo.type, ...keptFile }).send(logo.content)
}

/**
 * The merchant's file. An SVG may contain a script: as an image it does not run, and the headers prevent that it runs when it is opened as
 * a page.
 */
export const keptFile = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
} as const
