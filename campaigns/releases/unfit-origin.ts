/**
 * An earlier release runs with the packages and the Node of this checkout. Where its own code cannot be loaded with them, nothing can be said
 * about the upgrade, and the test of it is skipped. Every other failure is one of this checkout or of the machine, and fails the test: a full
 * disk, a database that is away, a slow machine, a sandbox acquirer that refuses what the earlier release sends.
 */
import { EndedEarly, type Program } from '../stage/program.ts'

export class UnfitOrigin extends Error {}

/** What Node prints where a package or Node itself no longer has what the code asks for. */
const codeFaults = /\b(?:SyntaxError|TypeError|ReferenceError|ERR_MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED)\b/

export async function startOrigin(program: Pick<Program, 'start'>): Promise<void> {
  try {
    await program.start()
  } catch (error) {
    if (!(error instanceof EndedEarly) || !codeFaults.test(error.said)) throw error
    throw new UnfitOrigin(error.message, { cause: error })
  }
}
