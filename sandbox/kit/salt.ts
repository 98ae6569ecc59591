/**
 * A random secret per folder, created once. It is stored apart from the journal, so that the journal alone is not enough to test guesses of
 * card numbers.
 */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function ensureSalt(folder: string): Promise<string> {
  const path = join(folder, 'salt')
  await writeFile(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(() => undefined)
  return readFile(path, 'utf8')
}
