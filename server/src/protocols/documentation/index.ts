/** What a merchant's developer reads at an instance itself: OpenAPI documents, the documentation, and the first page of a sandbox. */
import type { FastifyInstance } from 'fastify'
import type { WebFiles } from '../assets/web-files.ts'
import { builtSite } from './built-site.ts'
import { openApiRoutes } from './openapi.ts'
import { type SiteOptions, siteRoutes } from './site.ts'
import { type WelcomeOptions, welcomeRoute } from './welcome.ts'

type DocumentationOptions = Omit<SiteOptions, 'site'> & {
  readonly files: WebFiles
  readonly panelUrl: () => string
  /** Null where `/` belongs to others. */
  readonly welcome: Omit<WelcomeOptions, 'site'> | null
}

export const documentation =
  ({ files, welcome, ...options }: DocumentationOptions) =>
  async (app: FastifyInstance): Promise<void> => {
    openApiRoutes(app, options)
    const site = builtSite(files)
    if (!site) return
    siteRoutes(app, { ...options, site })
    if (welcome) welcomeRoute(app, { ...welcome, site })
  }
