/** The arguments of a start: a role, the stand-ins for acquirers, whether the local network may reach it, and the number of processes. */

import { parseArgs } from 'node:util'
import { errorCode } from '#domain/error-code.ts'
import { automaticProcesses, mostProcesses as most } from './automatic-processes.ts'
import { type Role, roles } from './config.ts'
import { StartupError } from './startup-error.ts'

export interface StartArguments {
  readonly role: Role
  /** `supervisor` starts and watches several processes, `member` is one of them. */
  readonly part: 'alone' | 'supervisor' | 'member'
  /** How many serve requests; 1 if `part` is `alone`. */
  readonly processes: number
  /** `all` or names; null if no stand-in is wanted. */
  readonly acquirers: string | null
  readonly lan: boolean
}

type ArgumentsReading =
  | {
      readonly kind: 'start'
      readonly options: Readonly<Record<string, string | boolean | undefined>>
      readonly words: readonly string[]
    }
  | { readonly kind: 'help' }
  /** The options cannot be read; the sentence says why. */
  | { readonly kind: 'misused'; readonly sentence: string }

export const startUsage = `Usage: npm start -- [ROLE] [--processes auto|NUMBER] [--acquirers all|NAME,NAME…] [--lan]

Starts the gateway in one of the roles ${roles.join(', ')}; the default is all. Settings come from the environment.
--processes starts several processes that serve requests on one port, auto one per processor as far as the memory limit holds them, and replaces
those that end; with the role all also a worker. SIGHUP replaces them one by one. Only with the roles all and api, on Linux.
--acquirers also starts stand-ins for real acquirers, each with a demo merchant; only in a sandbox instance with the role all.
--lan lets other devices of the local network reach the gateway and the demo shop, for example a phone that scans a wallet's code; only in
a sandbox instance with the role all.
`

export function readOptions(args: readonly string[]): ArgumentsReading {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        acquirers: { type: 'string' },
        lan: { type: 'boolean' },
        processes: { type: 'string' },
        // Given by the supervisor to the processes that it starts.
        member: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    return values.help ? { kind: 'help' } : { kind: 'start', options: values, words: positionals }
  } catch (error) {
    if (error instanceof Error && errorCode(error) === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      return { kind: 'misused', sentence: valueFault(error.message) }
    const [sentence = ''] = error instanceof Error ? error.message.split(/\.? To specify|\.\s|\n/) : []
    return { kind: 'misused', sentence: `${sentence.replace(/\.$/, '')}.` }
  }
}

export function startArguments({
  options,
  words,
}: Extract<ArgumentsReading, { readonly kind: 'start' }>): StartArguments {
  const [name = 'all', surplus] = words
  const role = roles.find((one) => one === name)
  if (!role) throw new StartupError(`"${name}" is not a role.`, `Use one of ${roles.join(', ')}; default: all.`)
  if (surplus !== undefined) throw new StartupError(`"${surplus}" is one argument too many.`, 'Give one role.')
  const acquirers = typeof options['acquirers'] === 'string' ? options['acquirers'] : null
  if (acquirers !== null && role !== 'all')
    throw new StartupError('Only the role all starts stand-ins for acquirers.', 'Leave out --acquirers.')
  const lan = options['lan'] === true
  if (lan && role !== 'all') throw new StartupError('Only the role all takes --lan.', 'Set HOST and BASE_URL instead.')
  return { role, acquirers, lan, ...processesOf(role, options) }
}

function processesOf(
  role: Role,
  { processes, member }: Readonly<Record<string, string | boolean | undefined>>,
): Pick<StartArguments, 'part' | 'processes'> {
  if (member === true) return { part: 'member', processes: 1 }
  if (typeof processes !== 'string') return { part: 'alone', processes: 1 }
  if (role === 'worker')
    throw new StartupError(
      'The role worker does not take --processes.',
      'Start another worker for more work at a time.',
    )
  if (process.platform !== 'linux')
    throw new StartupError('Only on Linux can processes share a port.', 'Leave out --processes.')
  if (processes === 'auto') return { part: 'supervisor', processes: automaticProcesses(role) }
  const count = /^[1-9][0-9]{0,2}$/.test(processes) ? Number(processes) : 0
  if (count === 0 || count > most)
    throw new StartupError(`"${processes}" is not a number of processes.`, `Use auto, or a number from 1 to ${most}.`)
  return { part: 'supervisor', processes: count }
}

function valueFault(message: string): string {
  if (message.includes('--lan')) return '--lan takes no value.'
  if (message.includes('--processes')) return '--processes needs auto or a number.'
  return '--acquirers needs names, for example adyen,stripe, or all.'
}
