/** A run whose figures mean nothing, because a request failed or the records disagree. */
import { readFile } from 'node:fs/promises'
import type { Program } from '../campaigns/stage/program.ts'
import type { LoadResult } from './load.ts'

export class VoidRun extends Error {}

const linesShown = 5
const isWarning = /"level":"(?:warn|error|fatal)"/

/** The log of the process tells why: the client is told "Internal error." for every fault. */
export async function requireAllAnswered(load: LoadResult, api: Program, name = 'SALE'): Promise<void> {
  if (load.failures === 0) return
  const log = await readFile(api.logFile, 'utf8')
  const warnings = log.split('\n').filter((line) => isWarning.test(line))
  throw new VoidRun(
    [
      `${name}: ${load.failures} requests failed, the first with ${load.firstFailure}`,
      warnings.length === 0 ? 'The api process logged no warning.' : 'The last warnings of the api process:',
      ...warnings.slice(-linesShown),
    ].join('\n'),
  )
}
