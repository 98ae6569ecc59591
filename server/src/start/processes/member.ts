/**
 * One of the processes that a supervisor starts. It gets the database and the sandbox from the supervisor, shares its ports with the others,
 * and ends when the supervisor is gone.
 */
import type { Config, Role } from '../../process/config.ts'
import { StartupError } from '../../process/startup-error.ts'
import { wireService } from '../../wiring.ts'
import { stopLater } from '../ending.ts'
import { prepareInstance } from '../instance.ts'
import { listen } from '../listen.ts'
import { endBeforeMemoryLimit } from '../memory.ts'
import { type MemberStart, readToMember, type ToSupervisor } from './messages.ts'

/** A collector of metrics gives up after ten seconds. */
const measureWithinMs = 3_000

export async function startMember(role: Role): Promise<void> {
  if (!process.send)
    throw new StartupError('--member is for processes that a supervisor starts.', 'Use --processes instead.')
  // A terminal that is closed signals every process; the supervisor decides what it means.
  process.on('SIGHUP', () => undefined)
  const started = await receiveStart()
  const { base, draining, sandboxUrl } = await prepareInstance({ role, acquirers: null, lan: false }, started)
  process.on('disconnect', () => draining.begin('SIGTERM'))
  if (!process.connected) return draining.begin('SIGTERM')
  const config = withPorts(base.config, started.ports)
  const service = await wireService({ ...base, config }, sandboxUrl, {
    readAllMetrics: measureAll(() => service.metrics.composeText()),
  })
  stopLater(() => service.stop())
  draining.follow(service.app)
  endBeforeMemoryLimit({ log: base.log, draining, processes: started.processes })
  process.on('message', (message) => {
    const order = readToMember(message)
    if (order?.kind === 'measure')
      service.metrics.composeText().then(
        (text) => tell({ kind: 'measured', id: order.id, text }),
        () => tell({ kind: 'measured', id: order.id, text: '' }),
      )
  })
  tell({ kind: 'ready', ...(await listen(config, service, started.sockets)) })
}

/** Exits if the supervisor ends before it sends the order. */
async function receiveStart(): Promise<MemberStart> {
  const endProcess = (): never => process.exit(1)
  process.once('disconnect', endProcess)
  const order = await new Promise<MemberStart>((resolve) => {
    const read = (message: unknown): void => {
      const received = readToMember(message)
      if (received?.kind !== 'start') return
      process.off('message', read)
      resolve(received)
    }
    process.on('message', read)
    tell({ kind: 'loaded' })
  })
  process.off('disconnect', endProcess)
  return order
}

/** The channel may close at any moment; the process then ends anyway. */
function tell(message: ToSupervisor): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

function withPorts(config: Config, ports: MemberStart['ports']): Config {
  if (config.role === 'worker') return config
  const { admin } = config
  const listener = admin.listener && ports.panel !== null ? { ...admin.listener, port: ports.panel } : admin.listener
  return Object.freeze({ ...config, port: ports.payments, admin: { ...admin, listener } })
}

/** A supervisor that does not answer leaves the metrics of this process. */
function measureAll(own: () => Promise<string>): () => Promise<string> {
  let last = 0
  const waiting = new Map<number, (text: string) => void>()
  process.on('message', (message) => {
    const order = readToMember(message)
    if (order?.kind === 'measured') waiting.get(order.id)?.(order.text)
  })
  return async () => {
    last += 1
    const id = last
    const text = await new Promise<string | null>((resolve) => {
      const late = setTimeout(() => resolve(null), measureWithinMs)
      waiting.set(id, (all) => {
        clearTimeout(late)
        resolve(all)
      })
      tell({ kind: 'measure all', id })
    })
    waiting.delete(id)
    return text ?? (await own())
  }
}
