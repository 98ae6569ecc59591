/** The arguments of a start: a role, the stand-ins for acquirers, and whether the local network may reach it. */
import { parseArgs } from 'node:util'
import { type Role, roles } from './config.ts'
import { StartupError } from './startup-error.ts'

interface StartArguments {
  readonly role: Role
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

export const startUsage = `Usage: npm start -- [ROLE] [--acquirers all|NAME,NAME…] [--lan]

Starts the gateway in one of the roles ${roles.join(', ')}; the default is all. Settings come from the environment.
--acquirers also starts stand-ins for real acquirers, each with a demo merchant; only in a sandbox instance with the role all.
--lan lets other devices of the local network reach the gateway and the demo shop, for example a phone that scans a wallet's code; only in
a sandbox instance with the role all.
`

export function readOptions(args: readonly string[]): ArgumentsReading {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { acquirers: { type: 'string' }, lan: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    return values.help ? { kind: 'help' } : { kind: 'start', options: values, words: positionals }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
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
  return { role, acquirers, lan }
}

const valueFault = (message: string): string =>
  message.includes('--lan') ? '--lan takes no value.' : '--acquirers needs names, for example adyen,stripe, or all.'
