/** What is written from the tables of the gateway, by its path. */
import { parameterTypes, parameterTypesFile } from './client/parameter-types.ts'
import { clientVectors, vectorsFile } from './client/vectors.ts'
import { collectionFiles } from './collections/collection-files.ts'
import { apiTypes, apiTypesFile } from './docs/api-types.ts'
import { openApiFiles } from './openapi/documents.ts'

export const interfaceFiles = (): readonly (readonly [path: string, content: string])[] => [
  [apiTypesFile, apiTypes()],
  [vectorsFile, clientVectors()],
  [parameterTypesFile, parameterTypes()],
  ...openApiFiles(),
  ...collectionFiles(),
]
