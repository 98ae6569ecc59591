/** The OpenAPI document of the admin API as a file, to read or generate from without a running service. */
import { endpoints } from '#server/protocols/admin/api/endpoints/index.ts'
import { openApi } from '#server/protocols/admin/api/openapi.ts'

export const adminOpenApiFile = 'docs/interface/admin-openapi.json'

export const adminOpenApi = (): string => `${JSON.stringify(openApi(endpoints), null, 2)}\n`
