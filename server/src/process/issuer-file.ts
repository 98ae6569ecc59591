/** The operator's issuer table, from BIN_FILE. */
import { readFileSync } from 'node:fs'
import { type Issuers, readIssuers } from '#domain/issuer.ts'
import { fileFault } from './file-fault.ts'
import { StartupError } from './startup-error.ts'

export function issuersIn(file: string): Issuers {
  const reading = readIssuers(textOf(file))
  if (reading.ok) return reading.issuers
  throw new StartupError(
    `The issuer file ${file} has errors:\n${reading.faults.map((fault) => `  - ${fault}`).join('\n')}`,
    'Correct the file, or remove BIN_FILE.',
  )
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartupError(
      `The issuer file ${file} could not be read. ${fileFault(error)}`,
      'BIN_FILE must be a file that this user can read.',
    )
  }
}
