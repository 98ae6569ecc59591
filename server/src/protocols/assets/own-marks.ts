/**
 * The operator's own marks of card networks and methods, from MARKS_DIR: one PNG or SVG each, named after its code, such as `visa.svg`. The
 * page draws the others itself, because the networks' logos are protected (decisions/checkout#marks-of-networks). They are served like the
 * built files.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readLogo } from '#domain/checkout/branding.ts'
import type { Log } from '../../contracts/ports.ts'
import { integrityOf, type WebFile, type WebFiles, webFileOf } from './web-files.ts'

/** A file that cannot be used is left out with a warning: a mark must not keep the service from starting. */
export async function withOwnMarks(files: WebFiles, folder: string | null, log: Log): Promise<WebFiles> {
  if (folder === null) return files
  const marks = await readMarks(folder, log)
  const byName = new Map(marks.map((mark) => [mark.name, mark]))
  const byPath = new Map(marks.map((mark) => [mark.path.replace('/web/', ''), mark]))
  return {
    find: (name) => byName.get(name) ?? files.find(name),
    file: (file) => byPath.get(file) ?? files.file(file),
    all: () => [...files.all(), ...marks],
    altered: files.altered,
  }
}

/** The address of the operator's mark of a network or method; null if there is none. */
export const ownMarkOf = (files: Pick<WebFiles, 'find'>, code: string): string | null =>
  files.find(`mark.${code}`)?.path ?? null

async function readMarks(folder: string, log: Log): Promise<readonly WebFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    log.warn(
      { err: error },
      'MARKS_DIR cannot be read: the page draws all marks itself. Check the folder and its rights.',
    )
    return []
  })
  const read = await Promise.all(names.map((name) => readMark(folder, name, log)))
  return read.flatMap((mark) => mark ?? [])
}

async function readMark(folder: string, name: string, log: Log): Promise<WebFile | null> {
  const [, code, ending] = /^([a-z0-9_-]{1,64})\.(svg|png)$/.exec(name) ?? []
  const content = code ? await readFile(join(folder, name)).catch(() => null) : null
  const reading = content && readLogo(content)
  const isRight = reading?.ok === true && (reading.type === 'image/png') === (ending === 'png')
  if (!code || !content || !isRight) {
    log.warn(
      {},
      `The file ${name} in MARKS_DIR is not used. Name it after its code, as visa.svg or visa.png; at most 100 KiB, an SVG without scripts.`,
    )
    return null
  }
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return webFileOf({
    name: `mark.${code}`,
    file: `mark.${code}.${hash}.${ending}`,
    integrity: integrityOf(content),
    content,
  })
}
