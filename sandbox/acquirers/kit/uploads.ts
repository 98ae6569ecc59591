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
  readonly pages: number
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
    else files.push({ field, name: value.name, ...(await describeUpload(value)) })
  }
  return { fields, files }
}

async function describeUpload(value: File) {
  const bytes = Buffer.from(await value.arrayBuffer())
  return { ...describeFile(bytes, value.type), pages: countPages(bytes, value.type) }
}

/** Of a PDF file as far as its page objects are not compressed; those of tests are not. */
export const countPages = (bytes: Buffer, type: string): number =>
  type === 'application/pdf' ? Math.max(1, bytes.toString('latin1').match(/\/Type ?\/Page\b/g)?.length ?? 0) : 1

export const describeFile = (bytes: Buffer, type: string): Pick<Upload, 'type' | 'size' | 'sha256'> => ({
  type,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})
