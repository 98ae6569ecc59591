/** A ZIP archive of stored files: PDF and images are compressed already. */
import type { Zippable } from 'fflate'

interface ZippedFile {
  readonly name: string
  readonly bytes: Buffer
}

/** Files that their owner may write and everybody may read, in the notation of Unix. */
const attributes = { os: 3, attrs: 0o100644 << 16 } as const

/** `at` is the time that the files carry, to the even second; names must differ. */
export async function packZip(files: readonly ZippedFile[], at: Date): Promise<Buffer> {
  const { zipSync } = await import('fflate')
  const entries: Zippable = Object.fromEntries(
    files.map(({ name, bytes }) => [name, [bytes, { level: 0, mtime: at, ...attributes }]]),
  )
  return Buffer.from(zipSync(entries))
}
