/** Lengths of source files: most are read at a glance, and none is longer than a reader can keep in mind. */
import { isTest, type SourceFile } from './source-files.ts'

/** Read from top to bottom like a page, not traced: each is one table. */
// biome-ignore format: a table is read in columns.
const tables: Readonly<Record<string, string>> = {
  'tools/tidy/import-table.ts':     'one row per permitted import',
  'web/admin/api/api-types.ts':     'generated: the types of the panel’s API',
  'client/typescript/src/parameters-generated.ts': 'generated: the parameters of every request',
}

const allowedLines = { median: 90, most: 220, longest: 300 } as const

interface Lengths {
  readonly median: number
  /** Nine files of ten are at most this long. */
  readonly most: number
  readonly longest: number
}

export function lengthsOf(files: readonly SourceFile[]): Lengths {
  const lines = files.filter(isMeasured).map(linesOf)
  const sorted = lines.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), most: at(0.9), longest: at(1) }
}

export function sentenceOf({ median, most, longest }: Lengths): string {
  return `source files have ${median} lines at the median (${allowedLines.median} allowed), 90 % have at most ${most} (${allowedLines.most}), the longest has ${longest} (${allowedLines.longest})`
}

export function complaintsAboutSizes(files: readonly SourceFile[]): readonly string[] {
  const lengths = lengthsOf(files)
  const tooLong = files
    .filter((file) => isMeasured(file) && linesOf(file) > allowedLines.longest)
    .map((file) => `${file.path} has ${linesOf(file)} lines: give a part of it a name and a file of its own.`)
  const isAbove = lengths.median > allowedLines.median || lengths.most > allowedLines.most
  return isAbove ? [...tooLong, `${sentenceOf(lengths)}: split what has several subjects.`] : tooLong
}

const isMeasured = ({ path }: SourceFile): boolean => !isTest(path) && !Object.hasOwn(tables, path)

const linesOf = ({ text }: SourceFile): number => text.trimEnd().split('\n').length
