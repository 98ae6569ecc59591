/** The last pulse that this machine saw, in a file outside the database: a restore of the database does not change it. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export interface Mark {
  readonly id: string
  readonly beats: bigint
}

const content = z.object({ id: z.string(), beats: z.string().regex(/^\d{1,18}$/) })

export const markFile = (dataDir: string): string => join(dataDir, 'pulse.json')

/** Null if there is none, or it cannot be read. */
export async function readMark(file: string): Promise<Mark | null> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'))
    const { id, beats } = content.parse(parsed)
    return { id, beats: BigInt(beats) }
  } catch {
    return null
  }
}

export async function writeMark(file: string, { id, beats }: Mark): Promise<void> {
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, JSON.stringify({ id, beats: String(beats) }))
  await rename(fresh, file)
}
