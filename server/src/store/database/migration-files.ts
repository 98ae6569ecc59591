import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

export interface Migration {
  readonly number: number
  readonly name: string
  /** As on disk: `0012_creditvoid_id.sql`. */
  readonly file: string
  readonly text: string
  readonly checksum: string
  /** Its statements run one by one, because one of them cannot run inside a transaction. */
  readonly outsideTransaction: boolean
  /** Programs that know this migration or a later one can serve the schema after it; 0 if it affects no program. */
  readonly oldestProgram: number
}

const releasedMigrations = new URL('../migrations/', import.meta.url)
/** A separate line in the file. */
const outsideMark = /^-- outside a transaction$/m
/** A separate line in the file. */
const oldestProgramMark = /^-- oldest program: (\d{4})$/m
const fileName = /^(\d{4})_([a-z0-9_]+)\.sql$/

let released: Promise<readonly Migration[]> | null = null

/** The migrations of this release in order: 1, 2, 3 … A gap or a duplicate number is a fault of the release. */
export function readMigrations(directory: URL = releasedMigrations): Promise<readonly Migration[]> {
  if (directory !== releasedMigrations) return readAll(directory)
  // A program's own migrations do not change while it runs, and a process may open many databases.
  released ??= readAll(directory)
  return released
}

async function readAll(directory: URL): Promise<readonly Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(files.map((file, index) => readMigration(directory, file, index + 1)))
}

export function fourDigits(number: number): string {
  return String(number).padStart(4, '0')
}

async function readMigration(directory: URL, file: string, expected: number): Promise<Migration> {
  const [, number, name] = fileName.exec(file) ?? []
  if (name === undefined || Number(number) !== expected) {
    throw new Error(`Migration ${file} must be named ${fourDigits(expected)}_<what_it_does>.sql.`)
  }
  // A checkout may convert line endings; that does not change the migration.
  const text = (await readFile(new URL(file, directory), 'utf8')).replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(text).digest('hex')
  const oldestProgram = Number(oldestProgramMark.exec(text)?.[1] ?? 0)
  if (oldestProgram > expected) throw new Error(`Migration ${file} asks for a program that knows a later migration.`)
  return { number: expected, name, file, text, checksum, outsideTransaction: outsideMark.test(text), oldestProgram }
}
