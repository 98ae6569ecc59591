/** The collections for API clients as files. */
import { brunoCollection } from './bruno.ts'
import { postmanCollection } from './postman.ts'

export const collectionFolder = 'web/.built-interface/collections'

/** Paths with their contents. */
export const collectionFiles = (): readonly (readonly [path: string, content: string])[] => [
  [`${collectionFolder}/gatehouse.postman_collection.json`, postmanCollection()],
  ...Object.entries(brunoCollection()).map(
    ([name, content]) => [`${collectionFolder}/bruno/${name}`, content] as const,
  ),
]
