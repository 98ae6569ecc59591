/** Builds the documentation site into `web/.built-docs/`: one file with all pages, and the search index. Builds only if something changed. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stampOf } from '../programs/build-stamp.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = join(root, 'web/.built-docs')

/** Returns whether anything was built. */
export async function buildSite(): Promise<boolean> {
  const stamp = stampOf(root, sources())
  const stampFile = join(out, 'stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false
  // The renderer and the tables of the code are loaded only if something has changed.
  const { siteFiles } = await import('./site-files.ts')
  const next = `${out}.${process.pid}`
  await rm(next, { recursive: true, force: true })
  await mkdir(next, { recursive: true })
  for (const [name, content] of Object.entries(siteFiles())) await writeFile(join(next, name), content)
  await writeFile(join(next, 'stamp'), stamp)
  await rm(out, { recursive: true, force: true })
  await rename(next, out)
  return true
}

const sources = (): readonly string[] =>
  globSync(
    [
      'docs/guide/*.md',
      'docs/interface/*.md',
      'client/**/README.md',
      'CHANGELOG.md',
      'tools/site/*.ts',
      'tools/samples/**/*.ts',
      'domain/src/signature/signature.ts',
      'package-lock.json',
    ],
    { cwd: root, exclude: ['**/*.test.ts'] },
  ).toSorted()
