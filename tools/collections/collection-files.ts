/** The collections for API clients as files. */
import { brunoCollection } from './bruno.ts'
import { postmanCollection } from './postman.ts'

const folder = 'docs/interface/collections'

/** Paths with their contents. */
export const collectionFiles = (): readonly (readonly [path: string, content: string])[] => [
  [`${folder}/gatehouse.postman_collection.json`, postmanCollection()],
  ...Object.entries(brunoCollection()).map(([name, content]) => [`${folder}/bruno/${name}`, content] as const),
]
