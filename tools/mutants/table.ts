/** The summary of a run: one row per file, and totals. */
import type { Mutant } from './mutations.ts'
import type { Verdict } from './run.ts'

export interface FileResult {
  readonly file: string
  /** The number of mutants of the file; with a sample, fewer are judged. */
  readonly all: number
  readonly judged: readonly (readonly [mutant: Mutant, verdict: Verdict])[]
  readonly unexplained: readonly Mutant[]
}

export const count = ({ judged }: Pick<FileResult, 'judged'>, verdict: Verdict): number =>
  judged.filter(([, one]) => one === verdict).length

export function summaryTable(results: readonly FileResult[]): string {
  const cells = (result: FileResult): readonly string[] => [
    result.file,
    result.judged.length === result.all ? `${result.all}` : `${result.judged.length} of ${result.all}`,
    ...(['killed', 'timeout', 'survived'] as const).map((verdict) => `${count(result, verdict)}`),
    `${result.unexplained.length}`,
  ]
  const sum: FileResult = {
    file: 'In all',
    all: results.reduce((total, { all }) => total + all, 0),
    judged: results.flatMap(({ judged }) => judged),
    unexplained: results.flatMap(({ unexplained }) => unexplained),
  }
  const head = ['File', 'Mutants', 'Killed', 'Time-out', 'Survived', 'Without a reason']
  const rows = [head, ['---', '---', '---', '---', '---', '---'], ...results.map(cells), cells(sum)]
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
}
