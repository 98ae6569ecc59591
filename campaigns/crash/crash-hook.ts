/**
 * Loaded into a gateway process by `node --import`, kills that process at one exact point of one command.
 *
 * It observes from outside: the names of statements in the database driver, and the diagnostics channels of the HTTP client. The gateway
 * itself knows nothing of it. The query of this module's address says what to wait for: `crash-hook.ts?command=CAPTURE&point=intent`.
 *
 * The campaign sends one command at a time, or several of one kind, so the first intent of the right kind is the intended one.
 */
import { subscribe } from 'node:diagnostics_channel'
import pg from 'pg'
import { z } from 'zod'
import { intentsOf, isCommand, outcomeOf, type Point, points } from './crash-plan.ts'

const parameters = new URL(import.meta.url).searchParams
const command = parameters.get('command') ?? ''
const point = points.find((known) => known === parameters.get('point'))
const intents: readonly string[] = isCommand(command) ? intentsOf(command) : []
const outcome = isCommand(command) ? outcomeOf(command) : ''

const namedSchema = z.object({ name: z.string() })

let intentWritten = false

if (point !== undefined) watch(point)

function watch(point: Point): void {
  watchDatabase(point)
  if (point === 'intent') subscribe('undici:request:create', dieOnceIntended)
  // After the system has taken the bytes, so that the acquirer gets a request from a dead process.
  if (point === 'sent') subscribe('undici:request:bodySent', () => void setImmediate(dieOnceIntended))
  if (point === 'answer') subscribe('undici:request:headers', dieOnceIntended)
}

function watchDatabase(point: Point): void {
  // oxlint-disable-next-line typescript/unbound-method -- Applied below to whichever client it is called on.
  const original = pg.Client.prototype.query
  // Passed on unchanged; only named statements are observed.
  pg.Client.prototype.query = function watchQuery(this: pg.Client, ...queryArguments: unknown[]) {
    const name = nameOf(queryArguments[0])
    if (intents.includes(name) && point === 'before-intent') die()
    if (isOutcome(name) && point === 'before-outcome') dieOnceIntended()
    const result: unknown = Reflect.apply(original, this, queryArguments)
    if (result instanceof Promise) result.then(() => markWritten(name), ignoreFailure)
    return result
  } as typeof original // The driver's signature has a dozen overloads, which all pass through unchanged.

  function markWritten(name: string): void {
    if (intents.includes(name)) intentWritten = true
    if (isOutcome(name) && point === 'outcome') dieOnceIntended()
  }
}

const isOutcome = (name: string): boolean => outcome !== '' && name.startsWith(outcome)

/** Without its claims: the intent is the same. */
const nameOf = (statement: unknown): string =>
  (namedSchema.safeParse(statement).data?.name ?? '').replace(/-claims-[a-z]+$/, '')

/** The caller handles a failed statement. */
function ignoreFailure(): void {}

function dieOnceIntended(): void {
  if (intentWritten) die()
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
