/** Files that hold the authority's secrets: made once, by whoever comes first, replaced as a whole, readable by the owner only. */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'

/** What the file holds. When there is none, it is made; of several that make it at once, all get the first one's. */
export async function readOrMake<Content>(path: string, make: () => Promise<Content>): Promise<Content> {
  const known = await read<Content>(path)
  if (known !== undefined) return known
  const made = await write(path, await make())
  await link(made, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  await rm(made)
  const kept = await read<Content>(path)
  if (kept === undefined) throw new Error(`${path} went away.`)
  return kept
}

export async function replaceFile(path: string, content: unknown): Promise<void> {
  await rename(await write(path, content), path)
}

async function write(path: string, content: unknown): Promise<string> {
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, JSON.stringify(content), { mode: 0o600, flag: 'wx', flush: true })
  return temporary
}

async function read<Content>(path: string): Promise<Content | undefined> {
  try {
    // Only this program writes the file, and whole: what it reads back has the shape it wrote.
    return JSON.parse(await readFile(path, 'utf8')) as Content
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
