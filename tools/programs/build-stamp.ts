/** Tells whether the sources of something that was built have changed since, without reading them. */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** `paths` are relative to `root`. */
export function stampOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    const { mtimeMs, size } = statSync(join(root, path))
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}
