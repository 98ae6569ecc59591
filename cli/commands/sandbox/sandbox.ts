/** Scenarios of the sandbox acquirer: approval rates, outages and delays of MIDs, changed while it runs. Chapter 50 §6. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { openInstance, readInstanceConfig } from '../../kit/instance.ts'
import { networkReason } from '../../kit/network-reason.ts'
import { flag, type OptionValues, optionalArgument, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { findSandboxUrl, readSandboxAnswer } from '../../kit/sandbox.ts'
import { listSandboxMids, refuseUnknown } from '../../kit/sandbox-mids.ts'
import { table } from '../../kit/table.ts'

const outages = ['unavailable', 'reset', 'timeout'] as const

const faults = {
  approval: value(
    'PERCENT',
    'Percentage of approved payments; the others get a soft decline.',
    readers.wholeNumber(0, 100),
  ),
  down: value(
    'KIND',
    'Simulates an outage: unavailable (answers 503), reset (closes the connection), timeout.',
    readers.oneOf(outages),
  ),
  delay: value('MS', 'Delay of each answer in milliseconds.', readers.wholeNumber(0, 600_000)),
}

export const sandboxCommands: readonly Command[] = [
  command({
    name: 'sandbox scenario',
    sandboxOnly: 'A live instance has no sandbox acquirer.',
    summary: 'Shows or changes behaviour of the sandbox acquirer’s MIDs: approval rate, outage, delay.',
    details:
      'Use the MID’s name at the acquirer; for the MIDs of a new sandbox it is the same name. "all" is every MID without a scenario of\n' +
      'its own. The new scenario replaces the previous one. --file reads one scenario or a list from a file and allows every kind of fault.',
    args: { mid: optionalArgument('MID', readers.nonEmpty) },
    options: {
      ...faults,
      clear: flag('Removes the scenario of this MID, or of all MIDs.'),
      file: text('FILE', 'JSON with one scenario or a list of them.'),
      json: flag('Prints JSON.'),
    },
    examples: [
      'gatehouse sandbox scenario sandbox-north-live --approval 70',
      'gatehouse sandbox scenario sandbox-north-live --down unavailable',
      'gatehouse sandbox scenario --clear',
    ],
    async run(context, { mid }, { clear, file, json, ...options }) {
      const ask = await requireScenarioClient(context)
      const scenarios = await readScenarios(mid, options, file)
      await refuseUnknownMids(context, ask, { scenarios, cleared: clear ? mid : null })
      for (const scenario of scenarios) await ask('PUT', '', scenario)
      if (clear) await ask('DELETE', mid === null || mid === everyMid ? '' : `?mid=${encodeURIComponent(mid)}`)
      const { scenarios: inForce } = await ask('GET', '')
      if (json) printJson(context.output, inForce)
      else context.output.out(formatScenarios(inForce))
    },
  }),
]

const everyMid = 'all'

/** A scenario of a MID that no longer exists can still be cleared. */
async function refuseUnknownMids(
  context: CommandContext,
  ask: ScenarioClient,
  { scenarios, cleared }: { readonly scenarios: readonly ScenarioFields[]; readonly cleared: string | null },
): Promise<void> {
  const named = scenarios.flatMap(({ mid }) => (typeof mid === 'string' ? [mid] : []))
  const isCleared = cleared !== null && cleared !== everyMid
  if (named.length === 0 && !isCleared) return
  await using instance = await openInstance(context)
  const known = await listSandboxMids(instance)
  refuseUnknown(named, known)
  if (!isCleared) return
  const inForce = (await ask('GET', '')).scenarios.flatMap(({ mid }) => mid ?? [])
  refuseUnknown([cleared], [...new Set([...known, ...inForce])])
}

/** Sent to the acquirer unchecked: the acquirer reports what it does not understand. */
type ScenarioFields = Readonly<Record<string, unknown>>

function formatScenarios(scenarios: ScenarioList['scenarios']): string {
  if (scenarios.length === 0) return 'No scenario is set: every MID of the sandbox acquirer works normally.'
  return table(
    ['mid', 'scenario'],
    scenarios.map(({ mid, ...faulty }) => [mid ?? everyMid, JSON.stringify(faulty)]),
  )
}

async function readScenarios(
  mid: string | null,
  { approval, down, delay }: OptionValues<typeof faults>,
  file: string | undefined,
): Promise<readonly ScenarioFields[]> {
  if (file !== undefined) return readScenarioFile(file)
  const faulty = {
    ...(approval !== undefined && { approval_percent: approval }),
    ...(down !== undefined && { down }),
    ...(delay !== undefined && { delay_ms: delay }),
  }
  if (Object.keys(faulty).length === 0) return []
  if (mid === null) throw new UsageError('MID is missing.', '"all" is every MID without a scenario of its own.')
  return [{ ...(mid !== everyMid && { mid }), ...faulty }]
}

async function readScenarioFile(path: string): Promise<readonly ScenarioFields[]> {
  const content: unknown = await readFile(path, 'utf8').then(JSON.parse, () => null)
  const parsed = z.union([z.array(z.looseObject({})), z.looseObject({})]).safeParse(content)
  if (!parsed.success)
    throw new CommandError(`${path} contains no scenarios.`, 'Write one JSON object or a list of objects.')
  return Array.isArray(parsed.data) ? parsed.data : [parsed.data]
}

const answerWithinMs = 3000
const scenarioList = z.object({ scenarios: z.array(z.looseObject({ mid: z.string().optional() })) })
type ScenarioList = z.infer<typeof scenarioList>
const refusalBody = z.object({ error: z.object({ message: z.string() }) })

type ScenarioClient = (method: 'GET' | 'PUT' | 'DELETE', query: string, body?: object) => Promise<ScenarioList>

async function requireScenarioClient(context: CommandContext): Promise<ScenarioClient> {
  const url = await findSandboxUrl(readInstanceConfig(context))
  if (url === null) throw new CommandError('The sandbox acquirer was not found.', 'Start the service with "npm start".')
  return async (method, query, body) => {
    const reply = await fetch(`${url}/scenario${query}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerWithinMs),
    }).catch((error: unknown) => {
      throw new CommandError(
        `The sandbox acquirer at ${url} does not answer: ${networkReason(error)}`,
        'Start the service with "npm start".',
      )
    })
    const answer: unknown = await reply.json().catch(() => null)
    if (reply.ok) return readSandboxAnswer(url, scenarioList, answer)
    const message = refusalBody.safeParse(answer).data?.error.message ?? `HTTP status ${reply.status}.`
    throw new CommandError(`The sandbox acquirer refused: ${message}`, 'Nothing was changed.')
  }
}
