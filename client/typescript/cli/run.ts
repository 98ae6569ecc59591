/** The commands of an integrator against a remote instance. */
import { parseArgs } from 'node:util'
import { BusyError, RefusedError, UnknownOutcomeError } from '../src/index.ts'
import { listen, printEvents } from './feed.ts'
import { printLogs } from './logs.ts'
import type { Program } from './program.ts'
import { eventNames, makeEvent } from './sandbox-events.ts'
import { type Environment, Settings } from './settings.ts'
import { UsageError } from './usage-error.ts'

const usage = `Usage: gatehouse COMMAND

  trigger EVENT [--to URL]           makes a payment in a state on a sandbox, with its callbacks to URL
  events [--after CURSOR]            prints the callbacks of the last 30 days, one JSON object per line
  listen [--forward URL] [--last N]  prints new callbacks, and hands them to a program on this machine
  logs [--request ID] [--order ORDER] [--payment ID] [--limit N]  explains refused requests

Events: ${eventNames.join(', ')}.

Settings, each in the environment, or in the file that NAME_FILE names:
  GATEHOUSE_URL              address of the instance
  GATEHOUSE_KEY, GATEHOUSE_PASSWORD, GATEHOUSE_WEBHOOK_SECRET   of the merchant
  GATEHOUSE_SERVICE_KEY      key of a service account, for logs
  GATEHOUSE_ADMIN_URL        address of the panel, if it is another`

const options = {
  to: { type: 'string' },
  after: { type: 'string' },
  forward: { type: 'string' },
  last: { type: 'string' },
  request: { type: 'string' },
  order: { type: 'string' },
  payment: { type: 'string' },
  limit: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Returns the exit code: 0 done, 1 failed, 2 not understood. */
export async function run(argv: readonly string[], environment: Environment, program: Program): Promise<number> {
  try {
    await runCommand(argv, new Settings(environment), program)
    return 0
  } catch (error) {
    program.err(error instanceof Error ? error.message : String(error))
    if (isUsage(error)) program.err('"gatehouse --help" shows commands and settings.')
    else if (!isExpected(error)) program.err('The service may be unreachable: check GATEHOUSE_URL.')
    return isUsage(error) ? 2 : 1
  }
}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

const isExpected = (error: unknown): boolean =>
  error instanceof RefusedError || error instanceof BusyError || error instanceof UnknownOutcomeError

async function runCommand(argv: readonly string[], settings: Settings, program: Program): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
  const [command, subject] = positionals
  if (values.help || command === undefined || command === 'help') return program.out(usage)
  switch (command) {
    case 'trigger':
      return trigger(subject, values.to, settings, program)
    case 'events':
      return printEvents(settings.receiver(), program, values.after)
    case 'listen':
      return listen(settings.receiver(), program, {
        forward: values.forward,
        last: countOf(values.last ?? '0'),
      })
    case 'logs':
      return printLogs(settings, program, {
        requestId: values.request,
        orderId: values.order,
        paymentId: values.payment,
        limit: values.limit,
      })
    default:
      throw new UsageError(`There is no command "${command}".`)
  }
}

async function trigger(
  name: string | undefined,
  to: string | undefined,
  settings: Settings,
  { out }: Program,
): Promise<void> {
  const event = eventNames.find((one) => one === name)
  if (event === undefined) throw new UsageError(`Name an event: ${eventNames.join(', ')}.`)
  await requireSandbox(settings.baseUrl)
  const sender = { gatehouse: settings.merchant(), baseUrl: settings.baseUrl, key: settings.required('GATEHOUSE_KEY') }
  const order = { order_id: `EVENT-${crypto.randomUUID()}`, ...(to !== undefined && { callback_url: to }) }
  out(JSON.stringify(await makeEvent(sender, event, order), null, 2))
}

/** Test cards have no place at an acquirer of real money. */
async function requireSandbox(baseUrl: string): Promise<void> {
  const reply = await fetch(`${baseUrl}/docs/reader.json`, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
  const { mode }: { readonly mode?: unknown } = reply.ok ? JSON.parse(await reply.text()) : {}
  if (mode !== 'sandbox') throw new UsageError(`${baseUrl} is not a sandbox: trigger works on sandboxes only.`)
}

function countOf(text: string): number {
  if (!/^[0-9]{1,3}$/.test(text) || Number(text) > 500) throw new UsageError('--last is a number up to 500.')
  return Number(text)
}
