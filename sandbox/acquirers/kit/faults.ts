/**
 * Faults on the way of a request, for tests of recovery. A request asks for one by the header `x-stand-in-fault`, by a test amount (minor
 * units), or `PUT /faults` has them happen to every n-th request. Under one idempotency key a fault happens once: the repeated request gets
 * through.
 */
import { isObject } from '#domain/json.ts'
import { failure, type Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'

// biome-ignore format: a table is read in columns.
const table = [
  //  fault               amount   executed  what the client sees
  [ 'reply-lost',         '66601', true,     'drop'    ],
  [ 'hang',               '66602', true,     'silence' ],
  [ 'error',              '66603', false,    'error'   ],
  [ 'error-after',        '66604', true,     'error'   ],
  [ 'garbage',            '66605', true,     'garbage' ],
  [ 'request-lost',       '66606', false,    'drop'    ],
] as const

type Fault = (typeof table)[number][0]
type Sight = (typeof table)[number][3]

const replies: Readonly<Record<Sight, Reply>> = {
  drop: { status: 500, body: undefined, drop: true },
  silence: { status: 500, body: undefined, delayMs: 120_000, drop: true },
  error: { status: 500, body: { error: 'Internal error' } },
  garbage: { status: 200, body: '<html>Welcome</html>' },
}

export const isExecuted = (fault: Fault): boolean => table.some(([name, , executed]) => name === fault && executed)

/** What the client sees in place of the answer. */
export const replyOf = (fault: Fault): Reply => replies[table.find(([name]) => name === fault)?.[3] ?? 'error']

export class Faults {
  #rule: { readonly fault: Fault; readonly every: number } | undefined
  #requests = 0

  /** Null if nothing is to go wrong. */
  next({ headers }: Pick<Call, 'headers'>, amount: string | undefined): Fault | null {
    this.#requests += 1
    const rule = this.#rule
    return (
      faultCalled(headers['x-stand-in-fault']) ??
      table.find(([, testAmount]) => testAmount === amount)?.[0] ??
      (rule && this.#requests % rule.every === 0 ? rule.fault : null)
    )
  }

  async set({ body }: Call): Promise<Reply> {
    const { fault, every = 1 } = isObject(body) ? body : {}
    const known = faultCalled(fault)
    if (!known || typeof every !== 'number' || !Number.isSafeInteger(every) || every < 1)
      return failure(
        400,
        'invalid_request',
        `Give fault (${table.map(([name]) => name).join(', ')}) and every, 1 or more.`,
      )
    this.#rule = { fault: known, every }
    this.#requests = 0
    return { status: 200, body: this.#rule }
  }

  async clear(): Promise<Reply> {
    this.#rule = undefined
    return { status: 200, body: {} }
  }
}

const faultCalled = (name: unknown): Fault | null => table.find(([fault]) => fault === name)?.[0] ?? null
