/**
 * An acquirer's OpenAPI document, to hold requests and examples against. The documents lie in a folder `shared/acquirers` beside the project and are not
 * part of it; a test without them is skipped by name.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'

const folder = new URL('../../../../../shared/acquirers/', import.meta.url)

const node = z.record(z.string(), z.unknown())

interface OpenApiDocument {
  /** What is wrong with the body of a request to this path of the document; empty if nothing is. */
  requestFaults(method: string, path: string, body: unknown): readonly string[]
  /** What is wrong with a value by a schema of the document's components. */
  schemaFaults(name: string, value: unknown): readonly string[]
  /** Its example answers by their names, with the status of each. */
  exampleReplies(method: string, path: string): readonly ExampleReply[]
  /** The values of `components.examples` whose names begin so. */
  examples(prefix: string): ReadonlyMap<string, unknown>
}

interface ExampleReply {
  readonly name: string
  readonly status: number
  readonly body: unknown
}

/** Null if the document is not there. */
export function openApi(file: string): OpenApiDocument | null {
  const text = read(fileURLToPath(new URL(file, folder)))
  if (text === null) return null
  const document = node.parse(JSON.parse(text))
  // Some documents have patterns that are valid only without the flag for Unicode.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, unicodeRegExp: false })
  ajv.addSchema(document, 'document')
  const at = (...path: readonly string[]): unknown =>
    path.reduce<unknown>((inner, name) => member(inner, name), document)
  const resolve = (value: unknown): unknown => {
    const target = member(value, '$ref')
    return typeof target === 'string' ? at(...target.slice(2).split('/').map(unescapePointer)) : value
  }
  const faultsBy = (place: readonly string[], value: unknown): readonly string[] => {
    const validate = ajv.getSchema(`document#/${place.map(escapePointer).join('/')}`)
    if (!validate) return ['The schema of the request could not be found.']
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
  return {
    requestFaults: (method, path, body) => {
      const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
      if (at(...place) === undefined) return [`The document has no ${method} ${path}.`]
      return faultsBy(place, body)
    },
    schemaFaults: (name, value) => faultsBy(['components', 'schemas', name], value),
    exampleReplies: (method, path) =>
      Object.entries(node.parse(at('paths', path, method.toLowerCase(), 'responses') ?? {})).flatMap(
        ([status, response]) => {
          const content = member(member(resolve(response), 'content'), 'application/json')
          const examples = node.parse(member(content, 'examples') ?? {})
          return Object.entries(examples).map(([name, example]) => ({
            name: `${status} ${name}`,
            status: Number(status),
            body: member(resolve(example), 'value'),
          }))
        },
      ),
    examples: (prefix) =>
      new Map(
        Object.entries(node.parse(at('components', 'examples') ?? {}))
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, example]) => [name, member(example, 'value')]),
      ),
  }
}

/** The documents say `oneOf` where their alternatives overlap; their discriminator chooses, which no schema language knows. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replaceAll('"oneOf":', '"anyOf":')
  } catch {
    return null
  }
}

const member = (value: unknown, name: string): unknown => node.safeParse(value).data?.[name]

const escapePointer = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
const unescapePointer = (name: string): string => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
