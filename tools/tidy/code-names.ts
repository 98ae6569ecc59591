/** Names of files and functions in the documents for engineers, so that a rename reaches them too. */
import { posix } from 'node:path'

/** Documents that describe the code as it is. */
export const describesCode = (path: string): boolean =>
  /^(?:ARCHITECTURE|CONTRIBUTING|README|SECURITY)\.md$|^docs\/(?:engineering|decisions)\//.test(path)

/** Documents in which operators and assessors follow paths to their evidence. */
export const namesPaths = (path: string): boolean => /^docs\/(?:operations|spec)\//.test(path)

/** Stands for any test file. */
const placeholders: ReadonlySet<string> = new Set(['x.test.ts'])

interface NamedCode {
  readonly paths: readonly string[]
  /** All source text. */
  readonly text: string
}

/** `document: sentence` for every backticked file or function that does not exist. */
export function missingNames(document: string, markdown: string, { paths, text }: NamedCode): readonly string[] {
  return quotedNames(markdown).flatMap((name) => {
    if (/^[\w./-]+\.(?:tsx?|mjs|sql)$/.test(name))
      return placeholders.has(name) || paths.some((path) => `/${path}`.endsWith(`/${posix.normalize(name)}`))
        ? []
        : [`${document}: there is no file ${name}.`]
    const [, called] = /^(?:\w+\.)?(\w+)\(/.exec(name) ?? []
    if (called === undefined || new RegExp(`\\b${called}\\b`).test(text)) return []
    return [`${document}: there is no function ${called}.`]
  })
}

/** Its readers look for every name in the code. */
export const isRecipe = (path: string): boolean => path === 'docs/engineering/recipes.md'

/** The parameter that a recipe adds as its example. */
const examples: ReadonlySet<string> = new Set(['storeId'])

/** `document: sentence` for every backticked word that could be an identifier and occurs nowhere in the code, comments and texts left out. */
export function missingIdentifiers(
  document: string,
  markdown: string,
  identifiers: ReadonlySet<string>,
): readonly string[] {
  return quotedNames(markdown)
    .filter((name) => /^[a-z][A-Za-z0-9]*$/.test(name) && !identifiers.has(name) && !examples.has(name))
    .map((name) => `${document}: the code has no ${name}.`)
}

const topFolder = /^(?:bench|campaigns|cli|client|deploy|docs|domain|examples|sandbox|server|tools|web)\//

/** `document: sentence` for every backticked path from the root of the project that leads nowhere. Patterns (`*`, `<name>`) are no paths. */
export function missingPaths(document: string, markdown: string, exists: (path: string) => boolean): readonly string[] {
  return quotedNames(markdown)
    .filter((name) => topFolder.test(name) && /^[\w./-]+$/.test(name) && !isMadeHere(name))
    .filter((name) => !exists(name))
    .map((name) => `${document}: there is no ${name}.`)
}

/** Folders that a build writes. */
const isMadeHere = (path: string): boolean => /\/\.built/.test(path)

const quotedNames = (markdown: string): readonly string[] =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)
