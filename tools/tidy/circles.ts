/**
 * Files that need each other. Imports of types count too: they leave nothing at run time, but who reads the one file has to read
 * the other. What both need belongs to a file of its own.
 */
import type { SourceFile } from './source-files.ts'

/** Each circle once, as the files along it. */
export function circles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const needs = new Map(
    files.map(({ path, imports }) => [path, imports.flatMap(({ target }) => (target === null ? [] : [target]))]),
  )
  const found: string[][] = []
  const done = new Set<string>()

  const walk = (path: string, way: readonly string[]): void => {
    const begins = way.indexOf(path)
    if (begins !== -1) {
      found.push([...way.slice(begins), path])
      return
    }
    if (done.has(path)) return
    for (const next of needs.get(path) ?? []) walk(next, [...way, path])
    done.add(path)
  }
  for (const path of needs.keys()) walk(path, [])
  return found
}
