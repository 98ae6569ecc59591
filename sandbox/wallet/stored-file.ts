/** Files with the authority's secrets: created once, replaced as a whole, readable only by their owner. */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'

/**
 * The content of the file, which is created if it does not exist. If several processes create it concurrently, all get the content of the
 * first.
 */
export async function readOrMake<Content>(path: string, make: () => Promise<Content>): Promise<Content> {
  const known = await readContent<Content>(path)
  if (known !== undefined) return known
  const temporaryPath = await write(path, await make())
  await link(temporaryPath, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  await rm(temporaryPath)
  const content = await readContent<Content>(path)
  if (content === undefined) throw new Error(`${path} went away.`)
  return content
}

export async function replaceFile(path: string, content: unknown): Promise<void> {
  await rename(await write(path, content), path)
}

async function write(path: string, content: unknown): Promise<string> {
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, JSON.stringify(content), { mode: 0o600, flag: 'wx', flush: true })
  return temporary
}

async function readContent<Content>(path: string): Promise<Content | undefined> {
  try {
    // Only this program writes the file, and as a whole, so it has the shape that was written.
    return JSON.parse(await readFile(path, 'utf8')) as Content
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
