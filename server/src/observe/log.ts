/**
 * The log: JSON, one object per line (Chapter 50 §9), free of card numbers, codes, tokens, hashes and query strings (Chapter 10 §1.1). Two
 * measures ensure that: only listed fields are written (`log-fields.ts`), and every finished line is searched for text that looks like a
 * secret (`mask.ts`).
 *
 * Lines have the machine's time, not the test clock's, because they are read beside the lines of other programs.
 */
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import {
  type Bindings,
  type ChildLoggerOptions,
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino'
import { allowedFields, shorten } from './log-fields.ts'
import { batchedOutput } from './log-output.ts'
import { maskSecrets } from './mask.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

interface LogOptions {
  readonly level?: LogLevel
  /** Where lines go; standard output by default. */
  readonly destination?: DestinationStream
  /** In every line, such as `role` and `version`; restricted to the list like all others. */
  readonly fields?: object
}

/** Serves as the `Log` of the ports and as the logger of the HTTP app. */
export function createLog({ level = 'info', destination, fields = {} }: LogOptions = {}): FastifyBaseLogger {
  const base = allowedFields(fields)
  const output = destination ?? batchedOutput()
  const log = pino(
    {
      level,
      base,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowedFields },
      // Errors are already prepared; the built-in serializer would add everything attached to them.
      serializers: { err: (shown: unknown) => shown, msg: (text: unknown) => shorten(String(text), LONGEST_MESSAGE) },
      hooks: { streamWrite: maskSecrets },
    },
    output,
  )
  const checked = withCheckedChildren(log)
  writers.set(checked, lineWriter(log, base, output))
  return checked
}

/** Writes a line whose fields are already JSON, each after a comma. */
type LineWriter = (level: 'debug' | 'info' | 'error', fields: string, message: string) => void

const writers = new WeakMap<FastifyBaseLogger, LineWriter>()

/** For lines that are written for every request. The caller answers for their fields being in the list; secrets are masked as in any line. */
export function writeLine(log: FastifyBaseLogger, ...line: Parameters<LineWriter>): void {
  const write = writers.get(log)
  if (!write) throw new TypeError('Only a log of createLog() writes finished lines.')
  write(...line)
}

function lineWriter(log: Logger, base: object, output: DestinationStream): LineWriter {
  // `{"role":"api"}` becomes `,"role":"api"`.
  const text = JSON.stringify(base).slice(1, -1)
  const common = text === '' ? '' : `,${text}`
  return (level, fields, message) => {
    if (!log.isLevelEnabled(level)) return
    output.write(
      maskSecrets(`{"level":"${level}"${stdTimeFunctions.isoTime()}${common}${fields},"msg":"${message}"}\n`),
    )
  }
}

/** The log's options for the HTTP app. */
export function appLogOptions(log: FastifyBaseLogger) {
  return { loggerInstance: log, logController: new FaultsOnly({ requestIdLogLabel: 'requestId' }) }
}

/**
 * Keeps only the app's lines about our own faults. `observeRequests` writes one line per request instead of two, and never the address as
 * sent.
 */
class FaultsOnly extends LogController {
  override incomingRequest(): void {}
  override requestCompleted(): void {}
  override routeNotFound(): void {}
  override defaultErrorLog(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode >= 500) super.defaultErrorLog(error, request, reply)
  }
}

const LONGEST_MESSAGE = 1000

/** The library bypasses its formatters for the fields of a child logger, so they are filtered on entry. */
function withCheckedChildren(log: Logger): Logger {
  // oxlint-disable-next-line typescript/unbound-method -- Applied below to whichever logger it is called on.
  const child = log.child
  return Object.defineProperty(log, 'child', {
    value(bindings: Bindings, options?: ChildLoggerOptions): Logger {
      return Reflect.apply(child, this, [allowedFields(bindings), options])
    },
  })
}
