/**
 * `npm start -- --processes`: prepares the instance once, then starts and watches processes that share its ports. The supervisor itself serves
 * nothing and, once they run, holds no connection to the database. SIGHUP replaces its processes one by one; SIGTERM ends them, then the rest.
 */
import type { ProcessContext } from '../../assembly/process-context.ts'
import type { ListenAddress } from '../../process/acceptors.ts'
import type { StartArguments } from '../../process/start-arguments.ts'
import { StartupError } from '../../process/startup-error.ts'
import { sessionKeys } from '../../protocols/checkout/session-keys.ts'
import { readConnectionCounts } from '../../store/database/connection-counts.ts'
import { sessionKeyRows } from '../../store/sessions/session-keys.ts'
import { announceInstance } from '../announce.ts'
import { stopLater } from '../ending.ts'
import { type PreparedInstance, prepareInstance, say } from '../instance.ts'
import { type ListenUrls, openPort, type PortSetting } from '../listen.ts'
import { requireConnections } from './connection-room.ts'
import { type HeldSocket, holdSocket } from './held-socket.ts'
import { type ManagedProcess, openProcess } from './managed-process.ts'
import { measurements } from './measurements.ts'

/** Leaves a second of the ten of a supervisor above us for the sandbox and the embedded database. */
const endWithinMs = 8_000

export async function supervise(wanted: StartArguments): Promise<void> {
  const hangUps = followHangUps()
  const instance = await prepareInstance(wanted)
  const { base } = instance
  const workers = wanted.role === 'all' ? 1 : 0
  const { allowed } = await readConnectionCounts(base.pool)
  requireConnections(allowed, { serving: wanted.processes, workers }, base.config)
  const group = openProcesses(instance, wanted, await openSockets(base))
  // Of Ctrl-C every process of the terminal gets a signal of its own; SIGTERM then changes nothing any more.
  stopLater(async () => void (await Promise.all(group.map((managed) => managed.stop('SIGTERM', endWithinMs)))))
  const [first, ...others] = group
  // Alone, so that the reason of a start that is refused is said once.
  const listening = noteStart(await first?.start())
  const rest = await Promise.all(others.map((managed) => managed.start()))
  for (const one of rest) noteStart(one)
  hangUps.replace(() => replaceAll(group, base.log))
  await announceInstance(instance, listening, say)
  await createSessionKey(base)
  await base.pool.end()
}

interface SharedSockets {
  readonly payments: HeldSocket
  readonly panel: HeldSocket | null
  readonly worker: HeldSocket | null
}

async function openSockets({
  config: { role, host, port, admin, workerListener },
}: ProcessContext): Promise<SharedSockets> {
  const open = async (place: ListenAddress | null, setting: PortSetting): Promise<HeldSocket | null> =>
    place && (await openPort(() => holdSocket(place), place, setting))
  return {
    payments: await openPort(() => holdSocket({ host, port }), { host, port }, 'PORT'),
    panel: await open(admin.shared ? null : admin.listener, 'ADMIN_PORT'),
    worker: await open(role === 'all' ? workerListener : null, 'WORKER_PORT'),
  }
}

function openProcesses(
  { base, sandboxUrl, network }: PreparedInstance,
  { role, processes }: StartArguments,
  { payments, panel, worker }: SharedSockets,
): readonly ManagedProcess[] {
  const { databaseUrl, log } = base
  const gather = measurements(() => group)
  const common = {
    log,
    memberStart: {
      kind: 'start',
      databaseUrl,
      sandboxUrl,
      network,
      processes: processes + (role === 'all' ? 1 : 0),
      ports: { payments: payments.port, panel: panel?.port ?? null },
    } as const,
    onMessage: gather,
  }
  const ofApi = { payments: payments.descriptor, panel: panel?.descriptor ?? null }
  const ofWorker = { payments: null, panel: worker?.descriptor ?? null }
  const group = Array.from({ length: processes }, (_, index) =>
    openProcess({ ...common, name: String(index + 1), role: 'api', sockets: ofApi }),
  )
  if (role === 'all') group.push(openProcess({ ...common, name: 'worker', role: 'worker', sockets: ofWorker }))
  return group
}

function noteStart(listening: ListenUrls | null | undefined): ListenUrls {
  if (listening) return listening
  throw new StartupError('A process did not start.', 'Its reason is above.')
}

/**
 * From a terminal, SIGHUP means that its window was closed. Handled from the start, because an unhandled SIGHUP ends the
 * process; one received during the start is applied once all serve, one during a replacement after it: a process that was
 * already replaced does not have what was changed since.
 */
function followHangUps(): { replace(how: () => Promise<void>): void } {
  let replaceAll: (() => Promise<void>) | null = null
  let isWanted = false
  let isReplacing = false
  const begin = (): void => {
    if (replaceAll === null || !isWanted || isReplacing) return
    isWanted = false
    isReplacing = true
    void replaceAll().finally(() => {
      isReplacing = false
      begin()
    })
  }
  process.on('SIGHUP', () => {
    if (process.stdout.isTTY || process.stderr.isTTY) return void process.kill(process.pid, 'SIGTERM')
    isWanted = true
    begin()
  })
  return {
    replace: (how) => {
      replaceAll = how
      begin()
    },
  }
}

async function replaceAll(group: readonly ManagedProcess[], log: ProcessContext['log']): Promise<void> {
  for (const managed of group) {
    if (await managed.replace()) continue
    log.error(
      { process: managed.name },
      'A process was not replaced: its successor did not start. The others go on too.',
    )
    return
  }
  log.info({ count: group.length }, 'All processes were replaced.')
}

/** Once for all processes: generating it takes seconds of a processor. */
async function createSessionKey({ pool, vault, clock, ids, config, log }: ProcessContext): Promise<void> {
  try {
    await sessionKeys({ rows: sessionKeyRows(pool), vault, clock, ids, bits: config.sessionKeyBits }).readCurrent()
  } catch (error) {
    if (!pool.ending) log.error({ err: error }, 'The signing key for session tokens could not be created.')
  }
}
