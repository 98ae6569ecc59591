/**
 * Our programs as files that Node runs: a built program is one file beside the others, otherwise its source is run.
 * See decisions/build#built-programs.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** By the name of their built file, their sources from the top of the project. */
export const programs = {
  gateway: 'server/src/main.ts',
  gatehouse: 'cli/main.ts',
  sandbox: 'sandbox/all/main.ts',
  'stand-in': 'sandbox/acquirers/main.ts',
} as const

export type ProgramName = keyof typeof programs

const ending = '.mjs'
const top = new URL('../../../../', import.meta.url)

/** In a folder of built programs. */
export const builtProgram = (name: ProgramName): string => `${name}${ending}`

/** A built program starts built ones. */
export function programFile(name: ProgramName, running = process.argv[1] ?? ''): string {
  return running.endsWith(ending)
    ? join(dirname(running), builtProgram(name))
    : fileURLToPath(new URL(programs[name], top))
}

/** True if the command line is that of a gateway. */
export const isGatewayCommand = (command: string): boolean =>
  command.includes('main.ts') || command.includes(builtProgram('gateway'))
