/**
 * Calls of the admin API, typed by `api-types.ts`: `call('GET /users/:userId', { params: { userId } })`.
 *
 * A refusal is a value with texts to show, because every page has to show it; nothing is thrown but what a page itself broke off.
 */
import type { Api, FaultCode } from './api-types.ts'

export type Endpoint = keyof Api
export type Reading = Extract<Endpoint, `GET ${string}`>
export type Answer<E extends Endpoint> = Api[E]['answer']
export type Body<E extends Endpoint> = Api[E]['body']
export type Query<E extends Endpoint> = Api[E]['query']

export interface FieldFault {
  /** The path of the field in what was sent, with dots; empty for the whole. */
  readonly field: string
  readonly text: string
}

export interface Fault {
  /** `unreachable`: nobody knows what the server did, if it was reached at all. */
  readonly code: FaultCode | 'unreachable'
  readonly text: string
  readonly fields: readonly FieldFault[]
  /** Under which the server has logged it. */
  readonly requestId: string | null
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault }

export type Asked<E extends Endpoint> = Api[E]['asked'] & { readonly signal?: AbortSignal }

/** Nothing needs to be said where nothing is asked for. */
export type Asking<E extends Endpoint> =
  Partial<Api[E]['asked']> extends Api[E]['asked'] ? [asked?: Asked<E>] : [asked: Asked<E>]

interface Line {
  csrf: string
  /** What happens when the session is over. */
  onSignedOut: () => void
  /** A password has to be chosen or a second factor set up before anything else. */
  onDuty: () => void
  /** The server wants to know again who is there; true once it was told. */
  onStepUp: () => Promise<boolean>
  /** No person has done anything for a while. */
  isIdle: () => boolean
}

/** Who signs in sets these, once. */
export const line: Line = {
  csrf: '',
  onSignedOut: () => undefined,
  onDuty: () => undefined,
  onStepUp: () => Promise.resolve(false),
  isIdle: () => false,
}

export const prefix = '/admin/api'

/** What needs a fresh proof of the person is asked again once the proof was given. */
export async function call<E extends Endpoint>(endpoint: E, ...asking: Asking<E>): Promise<Result<Answer<E>>> {
  const result = await callOnce(endpoint, ...asking)
  const isHeldUp = !result.ok && result.fault.code === 'step_up_required'
  return isHeldUp && (await line.onStepUp()) ? callOnce(endpoint, ...asking) : result
}

async function callOnce<E extends Endpoint>(endpoint: E, ...asking: Asking<E>): Promise<Result<Answer<E>>> {
  const given: readonly unknown[] = asking
  // What an endpoint asks for is checked where it is called; here all of them are alike.
  const { params, query, body, signal } = (given[0] ?? {}) as Loose
  const [method = 'GET', path = ''] = endpoint.split(' ')
  const reply = await fetch(addressOf(path, params, query), {
    method,
    cache: 'no-store',
    credentials: 'same-origin',
    ...(signal ? { signal } : {}),
    ...(method === 'GET' ? { headers: presence() } : sent(body)),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    return null
  })
  const content: unknown = await reply?.json().catch(() => null)
  if (reply?.ok && content !== null) {
    // The server writes its answers by the very schemas that the types were made from.
    return { ok: true, value: content as Answer<E> }
  }
  return { ok: false, fault: noticed(faultOf(reply, content)) }
}

interface Loose {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** What a page asks for by itself must not keep a session alive that nobody uses. */
const presence = (): Record<string, string> => (line.isIdle() ? { 'x-background': '1' } : {})

const sent = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json', 'x-csrf-token': line.csrf, ...presence() },
  body: JSON.stringify(body ?? {}),
})

/** What is undefined or empty is not asked for. */
export function addressOf(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)]))
  return `${prefix}${filled}${asked.length === 0 ? '' : `?${search}`}`
}

/** The end of a session is the same everywhere. */
function noticed(fault: Fault): Fault {
  if (fault.code === 'unauthenticated') line.onSignedOut()
  if (fault.code === 'password_change_first' || fault.code === 'second_factor_first') line.onDuty()
  return fault
}

const unreachable: Fault = {
  code: 'unreachable',
  text: 'The service cannot be reached. Check your connection and try again.',
  fields: [],
  requestId: null,
}

function faultOf(reply: Response | null, content: unknown): Fault {
  const error = memberOf(content, 'error')
  const text = memberOf(error, 'message')
  if (reply === null || typeof text !== 'string') return unreachable
  const fields = memberOf(error, 'fields')
  const requestId = memberOf(error, 'requestId')
  return {
    // By the same schemas again.
    code: memberOf(error, 'code') as FaultCode,
    text: waitText(text, reply),
    fields: Array.isArray(fields) ? fields.map(fieldFault) : [],
    requestId: typeof requestId === 'string' ? requestId : null,
  }
}

function waitText(text: string, reply: Response): string {
  const seconds = Number(reply.headers.get('retry-after') ?? 0)
  if (seconds <= 0) return text
  const minutes = Math.ceil(seconds / 60)
  return `${text} Try again in ${seconds < 60 ? `${seconds} s` : `${minutes} min`}.`
}

const fieldFault = (given: unknown): FieldFault => ({
  field: textAt(given, 'field'),
  text: textAt(given, 'text'),
})

/** Empty where there is no text of that name. */
export function textAt(value: unknown, name: string): string {
  const found = memberOf(value, name)
  return typeof found === 'string' ? found : ''
}

/** A value of free form in a word; empty for what has none. */
export function wordAt(value: unknown, name: string): string {
  const found = memberOf(value, name)
  if (typeof found === 'boolean') return found ? 'yes' : 'no'
  return typeof found === 'number' ? String(found) : textAt(value, name)
}

export const memberOf = (value: unknown, name: string): unknown => entriesOf(value).find(([one]) => one === name)?.[1]

/** The members of what may be no object at all. */
export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
