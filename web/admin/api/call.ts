/**
 * Calls of the admin API, typed by `api-types.ts`: `call('GET /users/:userId', { params: { userId } })`.
 *
 * A refusal is returned as a value with texts, because every page has to show it. `call` throws only if the page itself aborted the
 * request.
 */
import type { Api, FaultCode } from './api-types.ts'

export type Endpoint = keyof Api
export type Reading = Extract<Endpoint, `GET ${string}`>
export type Answer<E extends Endpoint> = Api[E]['answer']
export type Body<E extends Endpoint> = Api[E]['body']
export type Query<E extends Endpoint> = Api[E]['query']

export interface FieldFault {
  /** The path of the field in the request, with dots; empty for the request as a whole. */
  readonly field: string
  readonly text: string
}

export interface Fault {
  /** `unreachable`: it is unknown whether the server received the request and what it did. */
  readonly code: FaultCode | 'unreachable'
  readonly text: string
  readonly fields: readonly FieldFault[]
  /** The id under which the server logged the request. */
  readonly requestId: string | null
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault }

type CallInput<E extends Endpoint> = Api[E]['request'] & { readonly signal?: AbortSignal }

/** The second argument may be omitted for an endpoint that takes none. */
export type CallArguments<E extends Endpoint> =
  Partial<Api[E]['request']> extends Api[E]['request'] ? [input?: CallInput<E>] : [input: CallInput<E>]

interface ClientHooks {
  csrf: string
  /** Called when the session has ended. */
  onSignedOut: () => void
  /** Called when the user must choose a password or set up a second factor before anything else. */
  onRequiredSetup: () => void
  /** Called when the server requires fresh authentication; resolves to true once the user has given it. */
  onStepUp: () => Promise<boolean>
  /** True if the user has not done anything for a while. */
  isIdle: () => boolean
}

/** Set once, by the session. */
export const apiClient: ClientHooks = {
  csrf: '',
  onSignedOut: () => undefined,
  onRequiredSetup: () => undefined,
  onStepUp: () => Promise.resolve(false),
  isIdle: () => false,
}

export const prefix = '/admin/api'

/** If an endpoint requires fresh authentication, the call is repeated after the user has authenticated. */
export async function call<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<Result<Answer<E>>> {
  const result = await callOnce(endpoint, ...input)
  const needsStepUp = !result.ok && result.fault.code === 'step_up_required'
  return needsStepUp && (await apiClient.onStepUp()) ? callOnce(endpoint, ...input) : result
}

async function callOnce<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<Result<Answer<E>>> {
  const args: readonly unknown[] = input
  // The caller's types check the arguments of each endpoint; here all endpoints are treated alike.
  const { params, query, body, signal } = (args[0] ?? {}) as AnyInput
  const [method = 'GET', path = ''] = endpoint.split(' ')
  const reply = await fetch(addressOf(path, params, query), {
    method,
    cache: 'no-store',
    credentials: 'same-origin',
    ...(signal ? { signal } : {}),
    ...(method === 'GET' ? { headers: presence() } : requestInit(body)),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    return null
  })
  const content: unknown = await reply?.json().catch(() => null)
  if (reply?.ok && content !== null) {
    // The server validates its answers with the same schemas from which the types are generated.
    return { ok: true, value: content as Answer<E> }
  }
  return { ok: false, fault: notifySession(faultOf(reply, content)) }
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Background requests of a page must not keep an unused session alive. */
export const presence = (): Record<string, string> => (apiClient.isIdle() ? { 'x-background': '1' } : {})

const requestInit = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json', 'x-csrf-token': apiClient.csrf, ...presence() },
  body: JSON.stringify(body ?? {}),
})

/** Undefined and empty query values are left out. */
export function addressOf(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))
  return `${prefix}${filled}${pairs.length === 0 ? '' : `?${search}`}`
}

/** Every call reports the end of a session in the same way. */
export function notifySession(fault: Fault): Fault {
  if (fault.code === 'unauthenticated') apiClient.onSignedOut()
  if (fault.code === 'password_change_first' || fault.code === 'second_factor_first') apiClient.onRequiredSetup()
  return fault
}

type Headed = Pick<Response, 'headers'>

const unreachableFault: Fault = {
  code: 'unreachable',
  text: 'The service cannot be reached. Check your connection and try again.',
  fields: [],
  requestId: null,
}

export function faultOf(reply: Headed | null, content: unknown): Fault {
  const error = memberOf(content, 'error')
  const text = memberOf(error, 'message')
  if (reply === null || typeof text !== 'string') return unreachableFault
  const fields = memberOf(error, 'fields')
  const requestId = memberOf(error, 'requestId')
  return {
    // The code comes from the same schemas.
    code: memberOf(error, 'code') as FaultCode,
    text: waitText(text, reply),
    fields: Array.isArray(fields) ? fields.map(fieldFault) : [],
    requestId: typeof requestId === 'string' ? requestId : null,
  }
}

function waitText(text: string, reply: Headed): string {
  const seconds = Number(reply.headers.get('retry-after') ?? 0)
  if (seconds <= 0) return text
  const minutes = Math.ceil(seconds / 60)
  return `${text} Try again in ${seconds < 60 ? `${seconds} s` : `${minutes} min`}.`
}

const fieldFault = (value: unknown): FieldFault => ({
  field: textAt(value, 'field'),
  text: textAt(value, 'text'),
})

/** Empty if there is no text with that name. */
export function textAt(value: unknown, name: string): string {
  const found = memberOf(value, name)
  return typeof found === 'string' ? found : ''
}

/** A value of free-form data as a word; empty if it has none. */
export function wordAt(value: unknown, name: string): string {
  const found = memberOf(value, name)
  if (typeof found === 'boolean') return found ? 'yes' : 'no'
  return typeof found === 'number' ? String(found) : textAt(value, name)
}

export const memberOf = (value: unknown, name: string): unknown => entriesOf(value).find(([one]) => one === name)?.[1]

/** The members of a value that may not be an object. */
export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
