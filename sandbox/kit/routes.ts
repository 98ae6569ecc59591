/** Routes as tables: each service of the sandbox has its own, and one server may serve several. */
import type { Reply } from './reply.ts'

export interface Call {
  /** The values of the `:names`, in their order. */
  readonly parameters: readonly string[]
  readonly query: URLSearchParams
  /** The header Idempotency-Key. */
  readonly key: string | undefined
  /** The header Accept-Language. */
  readonly languages: string | undefined
  /** The header Host: this server's address as the client knows it. */
  readonly host?: string | undefined
  /** By lower-case names; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string>>
  /** The body exactly as it came: signatures cover the bytes. */
  readonly bytes: Buffer
  /** Parsed JSON, or the fields of a form; null if there was no body. */
  readonly body: unknown
}

export type Handler = (call: Call) => Promise<Reply>

/** For example `GET /v1/transactions/:id` and its handler; `mostBytes` of a body, where files are taken. */
export type Routes = readonly (readonly [address: string, answers: Handler, mostBytes?: number | undefined])[]

/** The same routes, whose answers carry the time of `now` in the header Date: clients compare it with their own clock. */
export const datedRoutes = (routes: Routes, now: () => Date): Routes =>
  routes.map(([address, answer, mostBytes]) => [
    address,
    async (call) => {
      const reply = await answer(call)
      return { ...reply, headers: { ...reply.headers, date: now().toUTCString() } }
    },
    mostBytes,
  ])

interface Found {
  readonly parameters: readonly string[]
  readonly run: Handler
  readonly mostBytes: number
}

const usualBytes = 65_536

export type Router = (method: string, path: string) => Found | undefined

export function createRouter(tables: readonly Routes[]): Router {
  const rows = tables.flat()
  const whole = new Map(rows.map(([address, run, mostBytes = usualBytes]) => [address, { run, mostBytes }]))
  const patterns = rows
    .filter(([address]) => address.includes('/:'))
    .map(([address, run, mostBytes = usualBytes]) => ({ segments: address.split('/'), run, mostBytes }))

  return (method, path) => {
    const address = `${method} ${path}`
    const found = whole.get(address)
    if (found) return { parameters: [], ...found }

    const segments = address.split('/')
    for (const pattern of patterns) {
      const parameters = match(pattern.segments, segments)
      if (parameters) return { parameters, run: pattern.run, mostBytes: pattern.mostBytes }
    }
    return undefined
  }
}

function match(pattern: readonly string[], segments: readonly string[]): readonly string[] | undefined {
  if (pattern.length !== segments.length) return undefined
  const parameters: string[] = []
  for (const [index, segment] of segments.entries()) {
    const wanted = pattern[index]
    if (wanted?.startsWith(':')) {
      const parameter = decode(segment)
      if (parameter === undefined) return undefined
      parameters.push(parameter)
    } else if (wanted !== segment) return undefined
  }
  return parameters
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
