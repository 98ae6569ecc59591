/** What a merchant's developer reads at an instance itself: the OpenAPI documents. */
import type { FastifyInstance } from 'fastify'
import { openApiRoutes } from './openapi.ts'

interface DocumentationOptions {
  readonly publicUrl: () => string
}

export const documentation =
  (options: DocumentationOptions) =>
  async (app: FastifyInstance): Promise<void> => {
    openApiRoutes(app, options)
  }
