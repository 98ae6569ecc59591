/** Stand-ins for real acquirers, each a program of its own: `npm start -- --acquirers adyen,stripe`. */
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mode } from '#domain/merchant.ts'
import type { Log } from '../contracts/ports.ts'
import { programFile } from '../process/programs/program-file.ts'
import { StartupError } from '../process/startup-error.ts'
import { startChild } from './child-program.ts'

export interface RunningStandIn {
  /** The name of the connector that speaks to it. */
  readonly connector: string
  readonly url: string
  /** As the company issued them, for the connector's schema. */
  readonly credentials: Readonly<Record<Mode, Readonly<Record<string, unknown>>>>
  /** The page that opens and decides disputes; null where the company reports none. */
  readonly disputesUrl: string | null
  stop(): Promise<void>
}

type Announcement = Pick<RunningStandIn, 'url' | 'credentials' | 'disputesUrl'>

const folder = fileURLToPath(new URL('../../../sandbox/acquirers/', import.meta.url))

const standInNames = (): readonly string[] =>
  globSync('*/stand-in.ts', { cwd: folder })
    .map((path) => basename(dirname(path)))
    .filter((name) => name !== 'kit')
    .toSorted()

/** `all`, or names separated by commas. Those whose connectors need a package that an operator installs are named one by one. */
export function chosenStandIns(wish: string): readonly string[] {
  const known = standInNames()
  if (wish === 'all') return known.filter((name) => !name.startsWith('prism-'))
  const names = [...new Set(wish.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const unknown = names.filter((name) => !known.includes(name))
  const remedy = `Use "all", or names separated by commas: ${known.join(', ')}.`
  if (unknown.length > 0)
    throw new StartupError(`There is no stand-in for the acquirer "${unknown.join('", "')}".`, remedy)
  if (names.length === 0) throw new StartupError('--acquirers names no acquirer.', remedy)
  return names
}

export async function startStandIn(
  dataDir: string,
  connector: string,
  log?: Pick<Log, 'error' | 'info'>,
): Promise<RunningStandIn> {
  const data = join(dataDir, 'acquirers', connector)
  const child = await startChild<Announcement>({
    name: `The stand-in for ${connector}`,
    log,
    program: programFile('stand-in'),
    arguments: [connector],
    folder: data,
    environment: (port) => ({ STAND_IN_PORT: String(port), STAND_IN_DATA: data }),
  })
  if (!child)
    throw new StartupError(
      `The stand-in for ${connector} did not start.`,
      `To reset it, remove the folder ${data}, or start without it.`,
    )
  const { url, credentials, disputesUrl } = child.ready
  return { connector, url, credentials, disputesUrl, stop: () => child.stop() }
}

/** Enters our address of notifications at the company, as an operator does in the acquirer's dashboard. */
export async function announceNotifications({ connector, url }: RunningStandIn, baseUrl: string): Promise<void> {
  for (const mode of ['live', 'test'] as const) {
    const address = `${baseUrl}/acquirers/${connector}-${mode}/notifications`
    const reply = await fetch(`${url}/accounts/${mode}/notifications`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: address }),
    })
    if (!reply.ok)
      throw new StartupError(`The stand-in for ${connector} did not take the address of notifications.`, 'Start again.')
  }
}
