import { programFile } from '#server/process/programs/program-file.ts'

/** The words that start this command line, for a server that fetches its log by it. */
export const ownProgram = (): readonly string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  programFile('gatehouse'),
]
