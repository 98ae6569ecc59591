/** The OpenAPI documents as files. The service serves them at `/openapi/<name>.json`. */
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { openApi } from '#server/protocols/admin/api/openapi.ts'
import { checkoutDocument } from './checkout-document.ts'
import { apmDocument, cardDocument } from './form-documents.ts'
import type { Schema } from './value-schemas.ts'

const documents: Readonly<Record<string, () => Schema>> = {
  checkout: checkoutDocument,
  's2s-card': cardDocument,
  's2s-apm': apmDocument,
  admin: () => openApi(endpoints),
}

export const openApiFolder = 'web/.built-interface/openapi'

/** Paths with their contents. */
export const openApiFiles = (): readonly (readonly [path: string, content: string])[] =>
  Object.entries(documents).map(([name, write]) => [
    `${openApiFolder}/${name}.json`,
    `${JSON.stringify(write(), null, 2)}\n`,
  ])
