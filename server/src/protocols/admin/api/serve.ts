/** The steps of every request of the admin API, in the order in which they refuse: session, origin, permission, merchant, fields, proof. */
import { z } from 'zod'
import { isSameText } from '#domain/signature/same-text.ts'
import { isStorable } from '#domain/storable-text.ts'
import { readValue } from '../../../contracts/value-faults.ts'
import { may, reaches } from '../../../panel/access/permissions.ts'
import { requireFreshProof } from '../../../panel/access/re-authentication.ts'
import { findServiceCaller, serviceSession } from '../../../panel/access/service-accounts.ts'
import { dutyOf, refusalOfDuty } from '../../../panel/access/session-duty.ts'
import { findSession } from '../../../panel/access/sessions.ts'
import { AdminRefused, notFound } from '../../../panel/admin-refused.ts'
import { noteAlone } from '../../../panel/audit/audit.ts'
import type { Caller, Endpoint, Visit } from './endpoint.ts'
import { pathParams } from './path-params.ts'
import type { ArrivingFile } from './uploads/arriving-file.ts'

export interface AdminRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  /** The parsed JSON; undefined if there is no body. */
  readonly body: unknown
  /** The body of an endpoint that takes a file; null if it has none of that type. */
  readonly file: ArrivingFile | null
  readonly token: string
  /** The key of a service account; null if the request has none. */
  readonly bearer: string | null
  readonly csrf: string
  /** The request comes from our own page, or from a client that is no browser. */
  readonly sameOrigin: boolean
  /** The panel sent the request by itself, without recent activity of the user. */
  readonly isBackground: boolean
}

interface AdminAnswer {
  readonly answer: unknown
  readonly cookie?: string | null
}

export async function serve(endpoint: Endpoint, request: AdminRequest, visit: Visit): Promise<AdminAnswer> {
  if (!request.sameOrigin) throw new AdminRefused('csrf')
  const caller = endpoint.access === 'open' ? visit : await admit(endpoint, request, visit)
  const params = paramsOf(request.params)
  if (endpoint.tenancy === 'merchant') requireMerchant(caller, params['merchantId'] ?? '')
  if (!isWritable([request.query, request.body])) throw new AdminRefused('invalid', { message: unwritableMessage })
  const query = parse(endpoint.query, request.query)
  const body = endpoint.body === null ? undefined : parse(endpoint.body, request.body ?? {})
  if (endpoint.stepUp && caller.kind === 'signed-in') requireFreshProof(visit.context, caller.user, caller.session)
  const { file } = request
  if (endpoint.takesFile === true && file === null)
    throw new AdminRefused('invalid', { message: 'The body must be a file, of the type application/octet-stream.' })
  const served = await endpoint.serve({ params, query, body, file }, caller)
  if (typeof served.audit !== 'string' && caller.kind === 'signed-in')
    await noteAlone(visit.context.pool, visit.context.clock, caller.actor, served.audit)
  // The answer contains only fields of the schema, so that a new field of a record is not revealed by accident.
  const answer = endpoint.output instanceof z.ZodType ? endpoint.output.parse(served.answer) : served.answer
  return served.cookie !== undefined ? { answer, cookie: served.cookie } : { answer }
}

async function admit(endpoint: Endpoint, request: AdminRequest, visit: Visit): Promise<Caller> {
  if (request.bearer !== null) return admitService(endpoint, request.bearer, visit)
  const { access, method, onDuty } = endpoint
  const { context } = visit
  const signed = await findSession(context, request.token, request)
  if (signed === null) throw new AdminRefused('unauthenticated')
  if (method !== 'GET' && !isSameText(request.csrf, signed.csrf)) throw new AdminRefused('csrf')
  const duty = onDuty ? null : dutyOf(context.rules, signed.user, signed.session, context.machine.now())
  if (duty !== null) throw refusalOfDuty(duty)
  if (access !== 'open' && access !== 'signed-in' && !may(signed.grant, access)) throw new AdminRefused('forbidden')
  return { ...visit, ...signed, kind: 'signed-in', actor: { label: signed.user.email, address: visit.visitor.address } }
}

/**
 * A service account has no cookie that another page could use, so it needs no CSRF token. It has no account page, and it cannot prove its
 * identity again, so that secrets and rights stay with people.
 */
async function admitService({ access, stepUp }: Endpoint, bearer: string, visit: Visit): Promise<Caller> {
  const { context, visitor } = visit
  const service = await findServiceCaller(context, bearer)
  if (service === null) throw new AdminRefused('unauthenticated', { message: 'The key is unknown or has expired.' })
  if (access === 'open' || access === 'signed-in' || stepUp)
    throw new AdminRefused('forbidden', { message: 'A service account cannot do this.' })
  if (!may(service.grant, access)) throw new AdminRefused('forbidden')
  const session = serviceSession(service.user, visitor, context.machine.now())
  const actor = { label: service.user.email, address: visitor.address }
  return { ...visit, ...service, session, csrf: '', kind: 'signed-in', actor }
}

/** Another user's merchant is answered like one that does not exist. */
function requireMerchant(caller: Visit | Caller, merchantId: string): void {
  const isReached = caller.kind === 'signed-in' && reaches(caller.grant, merchantId)
  if (!isReached || caller.context.configuration.merchant(merchantId) === null) throw notFound()
}

/** A value that is not allowed for its parameter cannot exist, so it is not found. */
function paramsOf(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(params)) {
    const schema = pathParams[name]
    if (schema === undefined) throw new Error(`The path parameter ${name} is not in path-params.ts.`)
    if (!schema.safeParse(value).success) throw notFound()
  }
  return params
}

const unwritableMessage = 'The text contains an invalid Unicode character.'

/** Checks all fields at once, because any text may be written to the database. */
function isWritable(body: unknown): boolean {
  const left = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && !isStorable(value)) return false
    // Not spread into a call: a body may have more members than a call can have arguments.
    if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) left.push(name, member)
  }
  return true
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const reading = readValue(schema, value)
  if (reading.ok) return reading.value
  throw new AdminRefused('invalid', { fields: reading.faults.map(({ path, text }) => ({ field: path, text })) })
}
