/**
 * Faults on demand, for one MID or for all, and for some kinds of transaction or for all.
 *
 * "k of n" is counted, not random: of every n requests that the scenario covers, the first k are hit, so that a failed test fails again. An
 * approval rate is random, because routing that learns would see a pattern in counted declines; it is derived from the transaction's id, so
 * that the same transaction always has the same outcome.
 */
import { createHash } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import { firstSteps, isFirstStep, laterSteps, type TransactionType } from '../transaction.ts'

interface Share {
  readonly count: number
  readonly of: number
}

/** Drawn at random for each request, bounds included. */
interface Span {
  readonly from: number
  readonly to: number
}

interface Scenario {
  /** Absent: every MID without a scenario of its own. */
  readonly mid?: string
  /** Absent: every type. */
  readonly types?: readonly TransactionType[]
  /** Execute, then close the connection without an answer. */
  readonly drop_reply?: Share
  /** Execute, then answer 502. */
  readonly fail_after?: Share
  /** Execute, then wait before answering; real time. */
  readonly delay_ms?: number
  /** Queue a request for this long before it is executed, even if its caller has disconnected; real time. */
  readonly queue_ms?: Span
  readonly decline_soft?: Share
  /** The percentage of first steps with an approving test card that are approved; the others get a soft decline. */
  readonly approval_percent?: number
  /**
   * Execute nothing and answer 503, or not at all: `reset` closes the connection, `timeout` leaves the caller waiting. Status queries are
   * answered alike.
   */
  readonly down?: boolean | Outage
  /** Accept the transaction and never decide it. */
  readonly never_decide?: boolean
  /** Act like an acquirer without idempotency keys: a repeated request is executed again. */
  readonly ignore_keys?: boolean
  /** Holds end after this time on the test clock instead of the usual one. */
  readonly lapse_after_ms?: number
}

/** `down: true` means `unavailable`. */
const outages = ['unavailable', 'reset', 'timeout'] as const
export type Outage = (typeof outages)[number]

/** The faults of one request. */
export interface Fault {
  readonly down: Outage | null
  readonly neverDecide: boolean
  readonly declineSoft: boolean
  readonly ignoreKeys: boolean
  /** Null: as long as usual. */
  readonly lapseAfterMs: number | null
  readonly dropReply: boolean
  readonly failAfter: boolean
  readonly delayMs: number
  readonly queueMs: number
}

export class Scenarios {
  readonly #running = new Map<string, RunningScenario>()

  /** Replaces the scenario of the same MID. */
  set(scenario: Scenario): void {
    this.#running.set(scenario.mid ?? EVERY_MID, { scenario, seen: 0 })
  }

  clear(mid?: string): void {
    if (mid === undefined) this.#running.clear()
    else this.#running.delete(mid)
  }

  list(): readonly Scenario[] {
    return [...this.#running.values()].map(({ scenario }) => scenario)
  }

  /** Counts the request. */
  faultFor({ mid, type, id }: FaultRequest): Fault {
    const running = this.#find(mid)
    if (!running || (running.scenario.types && !running.scenario.types.includes(type))) return noFault

    const { scenario } = running
    const index = running.seen++
    return {
      down: outageOf(scenario),
      neverDecide: scenario.never_decide ?? false,
      declineSoft: hits(scenario.decline_soft, index) || isDeclined(scenario, type, id),
      ignoreKeys: scenario.ignore_keys ?? false,
      lapseAfterMs: scenario.lapse_after_ms ?? null,
      dropReply: hits(scenario.drop_reply, index),
      failAfter: hits(scenario.fail_after, index),
      delayMs: scenario.delay_ms ?? 0,
      queueMs: queuedFor(scenario.queue_ms, `${id} ${index}`),
    }
  }

  outage(mid: string): Outage | null {
    return outageOf(this.#find(mid)?.scenario)
  }

  #find(mid: string): RunningScenario | undefined {
    if (this.#running.size === 0) return undefined
    return this.#running.get(mid) ?? this.#running.get(EVERY_MID)
  }
}

/** A text instead of a scenario is an error. */
export function readScenario(value: unknown): Scenario | string {
  if (!isObject(value)) return 'A scenario must be a JSON object.'
  for (const [name, field] of Object.entries(value)) {
    const valid = fields.get(name)
    if (!valid) return `${name} is not part of a scenario.`
    if (!valid(field)) return `${name} is malformed.`
  }
  // Every field that is there has just been checked.
  return value as Scenario
}

interface FaultRequest {
  readonly mid: string
  readonly type: TransactionType
  readonly id: string
}

interface RunningScenario {
  readonly scenario: Scenario
  seen: number
}

/** No MID has an empty name. */
const EVERY_MID = ''

const noFault: Fault = {
  down: null,
  neverDecide: false,
  declineSoft: false,
  ignoreKeys: false,
  lapseAfterMs: null,
  dropReply: false,
  failAfter: false,
  delayMs: 0,
  queueMs: 0,
}

const types: readonly unknown[] = [...firstSteps, ...laterSteps]

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isPercent = (value: unknown): boolean => isCount(value) && value <= 100
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isOutage = (value: unknown): boolean => isFlag(value) || outages.some((outage) => outage === value)
const isShare = (value: unknown): boolean =>
  isObject(value) && isCount(value['count']) && isCount(value['of']) && value['of'] > 0

const isSpan = (value: unknown): boolean =>
  isObject(value) && isCount(value['from']) && isCount(value['to']) && value['from'] <= value['to']

// biome-ignore format: a table is read in columns.
const fields: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  // name              is well-formed when
  [ 'mid',             (value: unknown) => typeof value === 'string' && value !== '' ],
  [ 'types',           (value: unknown) => Array.isArray(value) && value.every((type) => types.includes(type)) ],
  [ 'drop_reply',      isShare ],
  [ 'fail_after',      isShare ],
  [ 'delay_ms',        isCount ],
  [ 'queue_ms',         isSpan ],
  [ 'decline_soft',    isShare ],
  [ 'approval_percent', isPercent ],
  [ 'down',            isOutage ],
  [ 'never_decide',    isFlag ],
  [ 'ignore_keys',     isFlag ],
  [ 'lapse_after_ms',  isCount ],
])

function hits(share: Share | undefined, index: number): boolean {
  return share !== undefined && index % share.of < share.count
}

function outageOf(scenario: Scenario | undefined): Outage | null {
  const down = scenario?.down ?? false
  if (typeof down === 'string') return down
  return down ? 'unavailable' : null
}

function isDeclined({ approval_percent: percent }: Scenario, type: TransactionType, id: string): boolean {
  if (percent === undefined || !isFirstStep(type)) return false
  return drawShare(id) >= percent / 100
}

function queuedFor(span: Span | undefined, request: string): number {
  return span ? Math.round(span.from + drawShare(request) * (span.to - span.from)) : 0
}

/** From 0 to below 1, the same for the same text. */
const drawShare = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
