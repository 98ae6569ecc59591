/**
 * Lines: how a connector reaches a host that does not speak HTTP.
 *
 * Each account has a line of its own. The connection is made as the wire's are, so that a live instance reaches only the addresses that may
 * receive card numbers.
 */
import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { TraceNumbers } from '../../contracts/trace-numbers.ts'
import { tlsOptions } from '../pools.ts'
import type { WireEntry } from '../wire-entry.ts'
import { WireFault } from '../wire-fault.ts'
import type { ClientCertificate } from '../wire-request.ts'
import { Line, type LineTiming, usualTiming } from './line.ts'
import type { LineProtocol } from './protocol.ts'
import { traceNumbersHere } from './trace-numbers-here.ts'

interface LineAddress {
  readonly host: string
  readonly port: number
  readonly isEncrypted: boolean
}

interface LineTarget {
  readonly connector: string
  readonly address: LineAddress
  readonly certificate: ClientCertificate | null
  /** The host knows the sender by it: two lines with the same terminal share their trace numbers. */
  readonly terminal: string
  readonly protocol: LineProtocol
}

interface LineOptions {
  readonly sendBy?: number | undefined
  /** What an exchange may take of the time for all of them; the whole of it unless it says another. */
  readonly share?: number
}

export interface OpenLine {
  now(): Date
  /** Whether no other transaction of any process has the number on this terminal. Throws `WireFault` and nothing else. */
  reserve(number: string, transactionId: string): Promise<boolean>
  /** Throws `WireFault` and nothing else. */
  exchange(message: Buffer, options?: LineOptions): Promise<Buffer>
  close(): void
}

export interface Lines {
  /** Nothing is sent before the first exchange. */
  open(target: LineTarget): OpenLine
  close(): void
}

interface LineSettings {
  readonly budgetMs: number
  readonly connectTimeoutMs: number
  readonly connect?: ((certificate: ClientCertificate | null) => buildConnector.connector) | undefined
  readonly lineTiming?: Partial<LineTiming> | undefined
  /** Numbers reserved among all processes; without them they are reserved in this process alone. */
  readonly traceNumbers?: TraceNumbers | undefined
  readonly clock: { now(): Date }
  readonly onEntry?: ((entry: WireEntry) => void) | undefined
}

export function createLines(settings: LineSettings): Lines {
  const { budgetMs, clock, lineTiming, onEntry, traceNumbers = traceNumbersHere() } = settings
  const opened = new Set<Line>()
  return {
    open: ({ connector, address, certificate, terminal, protocol }) => {
      const timing = { ...usualTiming, ...lineTiming }
      const line = new Line({ protocol, connect: () => connectTo(settings, address, certificate), clock, timing })
      opened.add(line)
      return {
        now: () => clock.now(),
        reserve: (number, transactionId) => reserve(traceNumbers, `${terminal} ${number}`, transactionId),
        exchange: (message, { sendBy, share = 1 } = {}) => {
          const answer = line.exchange(message, { timeoutMs: Math.max(1, budgetMs * share), sendBy })
          return onEntry ? reportExchange(answer, { connector, message, protocol }, onEntry) : answer
        },
        close: () => {
          line.close()
          opened.delete(line)
        },
      }
    },
    close: () => {
      for (const line of opened) line.end()
      opened.clear()
    },
  }
}

async function reserve(numbers: TraceNumbers, key: string, transactionId: string): Promise<boolean> {
  try {
    return await numbers.reserve(key, transactionId)
  } catch (cause) {
    throw new WireFault('The trace number could not be reserved.', { sent: false, cause })
  }
}

function connectTo(
  { connect, connectTimeoutMs }: LineSettings,
  { host, port, isEncrypted }: LineAddress,
  certificate: ClientCertificate | null,
): Promise<Socket> {
  const open =
    connect?.(certificate) ?? buildConnector({ timeout: connectTimeoutMs, allowH2: false, ...tlsOptions(certificate) })
  return new Promise((resolve, reject) => {
    const target = { hostname: host, protocol: isEncrypted ? 'https:' : 'http:', port: String(port) }
    open(target, (error, socket) => (error ? reject(error) : resolve(socket)))
  })
}

interface ReportedExchange {
  readonly connector: string
  readonly message: Buffer
  readonly protocol: LineProtocol
}

async function reportExchange(
  answer: Promise<Buffer>,
  { connector, message, protocol }: ReportedExchange,
  onEntry: (entry: WireEntry) => void,
): Promise<Buffer> {
  const startedAt = performance.now()
  const report = (reply: unknown, fault: string | null): void =>
    onEntry({
      connector,
      method: 'LINE',
      path: '',
      request: protocol.describe(message),
      status: null,
      answer: reply,
      fault,
      durationMs: performance.now() - startedAt,
    })
  try {
    const reply = await answer
    report(protocol.describe(reply, message), null)
    return reply
  } catch (fault) {
    report(null, fault instanceof WireFault ? fault.message : 'The line failed.')
    throw fault
  }
}
