/**
 * The command lines of the project's own programs. `--help` prints the usage with status 0; a wrong command line gets one sentence and the
 * usage with status 2.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A command line that the program does not accept; the message is one sentence. */
export class UsageError extends Error {}

type Program = (args: readonly string[]) => number | Promise<number>

/** Returns the exit status. */
export async function runProgram(usage: string, main: Program): Promise<number> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  try {
    return await main(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n\n${usage}\n`)
    return 2
  }
}

/** As `parseArgs`, whose second sentence about positional arguments is of no use to the reader. */
export function readOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [sentence = ''] = error.message.split(/\.(?:\s|$)/)
    throw new UsageError(`${sentence}.`)
  }
}

export function wholeNumber(option: string, text: string): number {
  if (!/^[0-9]{1,10}$/.test(text)) throw new UsageError(`--${option} takes a whole number.`)
  return Number(text)
}
