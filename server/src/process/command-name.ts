/** What an operator types to run the command line: npm in a checkout, and the installed command of a release, which has no tools. */
import { existsSync } from 'node:fs'

export const commandName: string = existsSync(new URL('../../../tools/run.mjs', import.meta.url))
  ? 'npm run gatehouse --'
  : 'gatehouse'
