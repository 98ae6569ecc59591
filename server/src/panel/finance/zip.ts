/** A ZIP archive of stored files: PDF and images are compressed already. Fields as in PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16. */
import { crc32 } from 'node:zlib'

interface ZippedFile {
  readonly name: string
  readonly bytes: Buffer
}

/** `at` is the time that the files carry, to the even second; names must differ. */
export function zipOf(files: readonly ZippedFile[], at: Date): Buffer {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const path = Buffer.from(name, 'utf8')
    const common = fieldsOf(bytes, path, at)
    const header = Buffer.concat([signature(0x0403_4b50), common, path])
    entries.push(Buffer.concat([signature(0x0201_4b50), u16(0x031e), common, centralFields(offset), path]))
    parts.push(header, bytes)
    offset += header.length + bytes.length
  }
  const directory = Buffer.concat(entries)
  const end = [u16(0), u16(0), u16(files.length), u16(files.length), u32(directory.length), u32(offset), u16(0)]
  return Buffer.concat([...parts, directory, signature(0x0605_4b50), ...end])
}

/** What both headers of a file have: version 2.0, names in UTF-8, stored, time, checksum, sizes, lengths of name and extra field. */
function fieldsOf(bytes: Buffer, path: Buffer, at: Date): Buffer {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const size = u32(bytes.length)
  return Buffer.concat([
    u16(20),
    u16(0x0800),
    u16(0),
    u16(time),
    u16(day),
    u32(crc32(bytes)),
    size,
    size,
    u16(path.length),
    u16(0),
  ])
}

/** No comment, first disk, no attributes but a readable file, and where the file begins. */
const centralFields = (offset: number): Buffer =>
  Buffer.concat([u16(0), u16(0), u16(0), u32((0o100644 << 16) >>> 0), u32(offset)])

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const signature = u32
