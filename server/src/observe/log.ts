/**
 * The log: JSON, one object per line (Chapter 50 §9), free of card numbers, codes, tokens, hashes and query strings (Chapter 10
 * §1.1). Two things see to that, each enough for what it knows: only listed fields are taken (`log-fields.ts`), and every
 * finished line is searched for what looks like a secret (`mask.ts`).
 *
 * Lines carry the time of the machine and not of the test clock, since they are read beside the lines of other programs.
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
import { allowedFields, shortened } from './log-fields.ts'
import { maskSecrets } from './mask.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

interface LogOptions {
  readonly level?: LogLevel
  /** Where lines go; standard output unless given. */
  readonly destination?: DestinationStream
  /** In every line, such as `role` and `version`; from the list like all others. */
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
      // Errors are already made presentable; the built-in serializer would add what they carry.
      serializers: { err: (shown: unknown) => shown, msg: (text: unknown) => shortened(String(text), LONGEST_MESSAGE) },
      hooks: { streamWrite: maskSecrets },
    },
    destination ?? pino.destination(1),
  )
  return withCheckedChildren(log)
}

/** How the HTTP app takes the log. */
export function appLogOptions(log: FastifyBaseLogger) {
  return { loggerInstance: log, logController: new FaultsOnly({ requestIdLogLabel: 'requestId' }) }
}

/**
 * Of the app's own lines only those about faults of ours remain. `observeRequests` writes one line for each request in place of
 * two, and never the address as sent.
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

/** The library passes the fields of a child logger round its formatters, so they are checked on the way in. */
function withCheckedChildren(log: Logger): Logger {
  // oxlint-disable-next-line typescript/unbound-method -- Applied below to whichever logger it is called on.
  const child = log.child
  return Object.defineProperty(log, 'child', {
    value(bindings: Bindings, options?: ChildLoggerOptions): Logger {
      return Reflect.apply(child, this, [allowedFields(bindings), options])
    },
  })
}
