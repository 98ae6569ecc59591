/**
 * Which fields a log line may have. A field that is not in the list is dropped, whatever it contains, so that a card number cannot be
 * logged by spreading a request into a line. A value is a plain scalar or an error; objects and lists are dropped, because their contents
 * are unknown. `dropped` counts the dropped fields, so that a missing one is noticed; their names are not logged, because a caller may have
 * chosen them.
 */

export function allowedFields(fields: object): Record<string, unknown> {
  const allowed: Record<string, unknown> = {}
  let dropped = 0
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const shown = loggedFields.has(name) ? shownValue(value) : undefined
    if (shown === undefined) dropped += 1
    else allowed[name] = shown
  }
  if (dropped > 0) allowed.dropped = dropped
  return allowed
}

// biome-ignore format: a table is read in columns.
export const loggedFields: ReadonlySet<string> = new Set([
  // The request. `route` is the pattern that matched, never the path that was sent.
  'method', 'route', 'status', 'ms', 'requestId', 'protocol', 'action', 'result', 'aborted', 'address',
  // Its subject: our own identifiers, never a token, an order's text or a payer's data.
  'merchantId', 'transId', 'paymentId', 'transactionId', 'callbackId', 'scheduleId', 'subscriptionId', 'userId',
  // The acquirer.
  'connector', 'mid', 'operation', 'outcome', 'httpStatus',
  // The condition of the process: the id of a check, the skew of a clock.
  'finding', 'seconds',
  // Wallets.
  'side', 'wallet', 'alarm', 'source',
  // Due work.
  'engine', 'channel', 'attempt', 'attempts', 'sequence', 'count', 'abandoned', 'durationMs', 'delayMs', 'waitMs', 'dueAt', 'nextAt', 'until', 'state',
  // The process.
  'pid', 'process', 'role', 'version', 'host', 'port', 'signal', 'part', 'migration', 'file',
  // Failures.
  'err', 'error', 'fault', 'reason', 'code',
])

const LONGEST_TEXT = 500
const LONGEST_STACK = 4000
const DEEPEST_CAUSE = 3

function shownValue(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return shorten(value, LONGEST_TEXT)
    case 'boolean':
      return value
    case 'number':
      return shownNumber(value)
    case 'bigint':
      return String(value)
    default:
      if (value === null) return null
      if (value instanceof Error) return shownError(value, 0)
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString()
      return undefined
  }
}

/**
 * A number with as many digits as a card number becomes text, because only text can be masked and stay JSON. Fractions are rounded for the
 * same reason.
 */
function shownNumber(value: number): number | string {
  return Math.abs(value) < 1e11 ? Math.round(value * 1000) / 1000 : String(value)
}

/** Only the standard members of an error; drivers and clients attach whole requests and rows to theirs. */
function shownError(error: Error, depth: number): Record<string, unknown> {
  const cause: unknown = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  const code: unknown = Reflect.get(error, 'code')
  return {
    type: shorten(String(error.name), LONGEST_TEXT),
    message: shorten(String(error.message), LONGEST_TEXT),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: shownValue(code) } : {}),
    stack: framesOf(error),
    ...(cause instanceof Error && depth < DEEPEST_CAUSE ? { cause: shownError(cause, depth + 1) } : {}),
  }
}

/** The stack without its first lines, which repeat the message. */
function framesOf({ stack }: Error): string {
  const frames = String(stack).search(/^ {4}at /m)
  return frames === -1 ? '' : shorten(String(stack).slice(frames), LONGEST_STACK)
}

export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
