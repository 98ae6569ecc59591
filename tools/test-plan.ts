/** In what order and company test files are run. */

/** Files that share a process. */
export interface Batch {
  readonly files: readonly string[]
  /** It leaves its processor idle most of the time. */
  readonly waits: boolean
}

/** What takes longest begins first, so that nothing long is left when everything else is done. */
// biome-ignore format: a table is read in columns.
const long: readonly (readonly [begins: string, seconds: number, waits: boolean])[] = [
  // path begins with                              takes      waits
  ['campaigns/crash-points.test.ts',                  90,     true],
  ['campaigns/crash-load.test.ts',                    25,     true],
  ['campaigns/',                                      20,     true],
  ['server/test/browser/checkout-states.test.ts',     60,     false],
  ['server/test/browser/',                            40,     false],
  ['server/test/flows/silence.test.ts',               35,     true],
  ['server/test/flows/schedule-engine.test.ts',       20,     false],
  ['domain/',                                          8,     false],
  ['server/test/flows/',                               5,     false],
  ['cli/',                                             4,     false],
  ['server/',                                          2,     false],
]

/** Its files only compute and leave nothing behind; starting a process for each would take longer than they do. */
const company = 'domain/'

export function batchesOf(files: readonly string[]): readonly Batch[] {
  const companyOf = (file: string): string => (file.startsWith(company) ? company : file)
  return [...Map.groupBy(files, companyOf).values()]
    .map((together) => ({ files: together, ...expectationOf(together[0] ?? '') }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ files: together, waits }) => ({ files: together, waits }))
}

function expectationOf(file: string): { readonly seconds: number; readonly waits: boolean } {
  const [, seconds, waits] = long.find(([begins]) => file.startsWith(begins)) ?? ['', 1, false]
  return { seconds, waits }
}
