/** Files that a merchant sends: what a stand-in remembers of them is what can be compared later, never the content. */
import { createHash } from 'node:crypto'
import type { Call } from '../../kit/routes.ts'

/** The body of a request with files, which acquirers limit one by one. */
export const filesBytes = 64 * 1024 * 1024

export interface Upload {
  /** Of the field. */
  readonly field: string
  readonly name: string
  readonly type: string
  readonly size: number
  readonly sha256: string
}

interface Parts {
  readonly fields: Readonly<Record<string, string>>
  readonly files: readonly Upload[]
}

/** Null if the request is no `multipart/form-data`. */
export async function readParts({ headers, bytes }: Call): Promise<Parts | null> {
  const contentType = headers['content-type'] ?? ''
  if (!contentType.startsWith('multipart/form-data')) return null
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => null)
  if (form === null) return null
  const fields: Record<string, string> = {}
  const files: Upload[] = []
  for (const [field, value] of form) {
    if (typeof value === 'string') fields[field] = value
    else files.push({ field, name: value.name, ...describeFile(Buffer.from(await value.arrayBuffer()), value.type) })
  }
  return { fields, files }
}

export const describeFile = (bytes: Buffer, type: string): Pick<Upload, 'type' | 'size' | 'sha256'> => ({
  type,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})
