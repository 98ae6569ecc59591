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
  const log = pino(
    {
      level,
      base: allowedFields(fields),
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowedFields },
      // Errors are already prepared; the built-in serializer would add everything attached to them.
      serializers: { err: (shown: unknown) => shown, msg: (text: unknown) => shorten(String(text), LONGEST_MESSAGE) },
      hooks: { streamWrite: maskSecrets },
    },
    destination ?? pino.destination(1),
  )
  return withCheckedChildren(log)
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
