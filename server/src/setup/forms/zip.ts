/**
 * Reads a ZIP archive in memory: stored and deflated entries; no encryption, no multi-part archives.
 *
 * The sizes in the central directory bound what is unpacked, so that a small archive cannot unpack to a large one.
 */
import { inflateRawSync } from 'node:zlib'

interface ZipEntry {
  readonly path: string
  readonly content: Buffer
}

type ZipReading =
  | { readonly ok: true; readonly entries: readonly ZipEntry[] }
  | { readonly ok: false; readonly fault: string }

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const endSize = 22
const longestComment = 0xffff

export function readZip(archive: Buffer, mostBytes: number): ZipReading {
  try {
    return { ok: true, entries: entriesIn(archive, mostBytes) }
  } catch (error) {
    return { ok: false, fault: error instanceof ZipFault ? error.message : 'The file is not a valid ZIP archive.' }
  }
}

class ZipFault extends Error {
  override readonly name = 'ZipFault'
}

interface DirectoryEntry {
  readonly path: string
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

function entriesIn(archive: Buffer, mostBytes: number): readonly ZipEntry[] {
  const listed = listIn(archive).filter(({ path }) => !path.endsWith('/'))
  const total = listed.reduce((sum, { size }) => sum + size, 0)
  if (total > mostBytes) throw new ZipFault(`The archive contains more than ${mostBytes} bytes.`)
  return listed.map((entry) => ({ path: entry.path, content: contentOf(archive, entry) }))
}

function listIn(archive: Buffer): readonly DirectoryEntry[] {
  const end = endOf(archive)
  const count = archive.readUInt16LE(end + 10)
  const listed: DirectoryEntry[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== entryMark) throw new ZipFault('The file list of the archive is damaged.')
    if ((archive.readUInt16LE(at + 8) & 1) === 1) throw new ZipFault('The archive is encrypted.')
    const name = archive.readUInt16LE(at + 28)
    listed.push({
      path: archive.toString('utf8', at + 46, at + 46 + name),
      method: archive.readUInt16LE(at + 10),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
    })
    at += 46 + name + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return listed
}

/** The last record of the archive; a comment may follow it. */
function endOf(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - endSize - longestComment)
  for (let at = archive.length - endSize; at >= lowest; at -= 1) {
    if (archive.readUInt32LE(at) === endMark) return at
  }
  throw new ZipFault('The file is not a ZIP archive.')
}

function contentOf(archive: Buffer, { path, method, packed, size, offset }: DirectoryEntry): Buffer {
  if (archive.readUInt32LE(offset) !== localMark) throw new ZipFault(`The file ${path} is damaged.`)
  const begin = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const data = archive.subarray(begin, begin + packed)
  if (method !== 0 && method !== 8) throw new ZipFault(`The file ${path} uses an unsupported compression method.`)
  const content = method === 0 ? Buffer.from(data) : inflateRawSync(data, { maxOutputLength: Math.max(1, size) })
  if (content.length !== size) throw new ZipFault(`The file ${path} does not have its listed size.`)
  return content
}
