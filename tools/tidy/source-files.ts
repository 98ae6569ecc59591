/** The project's own source files, with what they import. Paths are relative to the project and use slashes. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepKinds, tokensOf } from './tokens.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceFile {
  readonly path: string
  readonly text: string
  /** Without comments and without what stands in quotes; lines are where they were. */
  readonly code: string
  readonly imports: readonly Import[]
}

interface Import {
  /** As written. */
  readonly specifier: string
  /** The file of this project that it names; null for packages and for what Node brings. */
  readonly target: string | null
  /** `later` is an import() that runs when it is reached; `types` leaves nothing at run time. */
  readonly when: 'loading' | 'later' | 'types'
  /** The names that it takes from the target, as the target calls them; null if it takes the target as a whole. */
  readonly names: readonly string[] | null
  readonly line: number
}

const folders = ['domain', 'server', 'sandbox', 'web', 'client', 'examples', 'cli', 'bench', 'campaigns', 'tools']

export function sourceFiles(): readonly SourceFile[] {
  const paths = globSync(`{${folders.join(',')}}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude: ['**/node_modules/**'] })
  return paths.toSorted().map((path) => sourceFile(path, readFileSync(`${root}${path}`, 'utf8')))
}

export function sourceFile(path: string, text: string): SourceFile {
  const tokens = tokensOf(text)
  const code = keepKinds(tokens, 'code')
  return { path, text, code, imports: importsOf(path, code, keepKinds(tokens, 'code', 'literal')) }
}

/** What tests share: samples, stand-ins, models. */
export const isForTests = (path: string): boolean => /(?:^|\/)testing\/|\.example\.tsx?$/.test(path)

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)

const statement =
  /^(?:import|export)\b(?<what>(?:(?!^(?:import|export)\b)[^'"`;])*?)(?<from>\bfrom\s*)?'(?<name>[^']+)'/gm
const dynamic = /\bimport\(\s*'(?<name>[^']+)'/g

function importsOf(path: string, code: string, text: string): readonly Import[] {
  const locate = (match: RegExpMatchArray, when: Import['when']): Import => {
    const specifier = match.groups?.['name'] ?? ''
    const names = namesIn(match.groups?.['what'] ?? '')
    return { specifier, target: targetOf(path, specifier), when, names, line: lineAt(text, match.index ?? 0) }
  }
  // A quoted text may look like an import too.
  const inCode = (match: RegExpMatchArray): boolean => /^(?:im|ex)port/.test(code.slice(match.index ?? 0).slice(0, 6))
  return [
    ...[...text.matchAll(statement)]
      .filter(inCode)
      // An exported function also stands before quoted texts, such as ['from', 'to']; only the word `from` or nothing makes it an import.
      .filter(({ groups }) => groups?.['from'] !== undefined || groups?.['what']?.trim() === '')
      .map((match) => locate(match, /^\s*type\b/.test(match.groups?.['what'] ?? '') ? 'types' : 'loading')),
    ...[...text.matchAll(dynamic)].filter(inCode).map((match) => locate(match, 'later')),
  ]
}

/** Of `{ a, type B as C }` a and B. */
function namesIn(clause: string): readonly string[] | null {
  const [, list] = /\{([^}]*)\}/.exec(clause) ?? []
  if (list === undefined) return null
  return list
    .split(',')
    .map(
      (entry) =>
        entry
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] ?? '',
    )
    .filter((name) => name !== '')
}

/** The names of package.json's `imports`. */
const aliasFolders: Readonly<Record<string, string>> = {
  '#domain/': 'domain/src/',
  '#server/': 'server/src/',
  '#sandbox/': 'sandbox/',
}

function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(dirname(path), specifier)
  for (const [name, folder] of Object.entries(aliasFolders))
    if (specifier.startsWith(name)) return folder + specifier.slice(name.length)
  return null
}

export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
