/**
 * An endpoint of the admin API is a value: method, address, who may use it, what goes in, what comes out and what it does. The routes, the
 * OpenAPI document and the test of every role against every merchant are made from the list of them.
 *
 * Whose data an endpoint may touch follows from its address and its permission, so that no endpoint can forget to ask:
 * an address with `:merchantId` is answered for the merchants of the caller alone, and a permission that reaches the platform only
 * serves callers who are restricted to no merchant.
 *
 * A change says what the audit log is to keep of it, or that its own transaction has written that already.
 */
import { z } from 'zod'
import type { Site } from '../../../panel/access/passkeys.ts'
import { type Permission, reachOf } from '../../../panel/access/permissions.ts'
import type { SignedIn } from '../../../panel/access/sessions.ts'
import type { AuditNote } from '../../../panel/audit/audit.ts'
import type { Actor, Visitor } from '../../../panel/context.ts'
import type { PanelContext } from '../../../panel/panel-context.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `open` needs no session, `signed-in` any: those are about the caller's own account. */
type Access = Permission | 'open' | 'signed-in'

/**
 * `merchant`: the address names one. `listed`: what is shown is limited to the caller's merchants. `platform`: only for callers who are
 * restricted to none. `own`: the caller's own account.
 */
type Tenancy = 'open' | 'own' | 'platform' | 'listed' | 'merchant'

interface VisitParts {
  readonly context: PanelContext
  readonly visitor: Visitor
  readonly site: Site
}

export interface Visit extends VisitParts {
  readonly kind: 'anonymous'
}

export interface Caller extends VisitParts, SignedIn {
  readonly kind: 'signed-in'
  readonly actor: Actor
}

export interface ChangeResult<Answer> {
  readonly answer: Answer
  /** `written`: by the transaction of the change itself. `none`: it changed nothing, or only how the caller's own panel looks. */
  readonly audit: AuditNote | 'written' | 'none'
  /** What the session cookie becomes; null takes it away. */
  readonly cookie?: string | null
}

export interface Endpoint {
  readonly method: Method
  /** Below `/admin/api`. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly tenancy: Tenancy
  readonly query: z.ZodObject
  /** Null on what changes nothing. */
  readonly body: z.ZodType | null
  /** How large a body may be, where that is more than usual. */
  readonly bodyBytes?: number
  /** Shows a secret or changes who may do what: asks for a fresh proof of the person first. */
  readonly stepUp: boolean
  /** Open also to who has to choose a password or set up a second factor before anything else. */
  readonly onDuty: boolean
  /** What is answered as JSON, or the type of the file that is. */
  readonly output: z.ZodType | { readonly fileType: string }
  serve(input: Input, visit: Visit | Caller): Promise<ChangeResult<unknown>>
}

/** A file that is written while it is sent. */
export class Download {
  readonly fileName: string
  readonly fileType: string
  readonly parts: AsyncIterable<string>

  constructor(fileName: string, fileType: string, parts: AsyncIterable<string>) {
    this.fileName = fileName
    this.fileType = fileType
    this.parts = parts
  }
}

/** A document of its own, with the policy that it needs. */
export class Page {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string

  constructor({ headers, body }: Pick<Page, 'headers' | 'body'>) {
    this.headers = headers
    this.body = body
  }
}

interface Input {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type Params<Path extends string> = Readonly<Record<ParamNames<Path>, string>>

interface EndpointDescription<Path extends string, Output extends z.ZodType> {
  readonly path: Path
  readonly summary: string
  readonly output: Output
}

/** GET: shows, and changes nothing. */
export function queryEndpoint<const Path extends string, Query extends z.ZodRawShape, Output extends z.ZodType>(
  definition: EndpointDescription<Path, Output> & {
    readonly access: Permission | 'signed-in'
    readonly onDuty?: true
    readonly query?: Query
    readonly run: (
      input: { readonly params: Params<Path>; readonly query: z.output<z.ZodObject<Query>> },
      caller: Caller,
    ) => Promise<z.input<Output>> | z.input<Output>
  },
): Endpoint {
  const { path, summary, access, output, run } = definition
  return {
    method: 'GET',
    path,
    summary,
    access,
    stepUp: false,
    onDuty: definition.onDuty === true,
    output,
    body: null,
    tenancy: tenancyOf(path, access),
    query: z.strictObject({ ...definition.query }),
    // `serve.ts` has read these by the very tables of this definition, and the caller is signed in where access asks for it.
    serve: async (input, visit) => ({ answer: await run(input as never, visit as Caller), audit: 'none' }),
  }
}

/** GET: a file of any size. */
export function downloadEndpoint<const Path extends string>(definition: {
  readonly path: Path
  readonly summary: string
  readonly access: Permission
  readonly fileName: string
  readonly fileType: string
  readonly run: (params: Params<Path>, caller: Caller) => Promise<AsyncIterable<string>>
}): Endpoint {
  const { path, summary, access, fileName, fileType, run } = definition
  return {
    method: 'GET',
    path,
    summary,
    access,
    stepUp: false,
    onDuty: false,
    output: { fileType },
    body: null,
    tenancy: tenancyOf(path, access),
    query: z.strictObject({}),
    // As above.
    serve: async ({ params }, visit) => ({
      answer: new Download(fileName, fileType, await run(params as never, visit as Caller)),
      audit: 'none',
    }),
  }
}

/** GET: a page for a frame of the panel. */
export function pageEndpoint<const Path extends string, Query extends z.ZodRawShape>(definition: {
  readonly path: Path
  readonly summary: string
  readonly access: Permission
  readonly query: Query
  readonly run: (
    input: { readonly params: Params<Path>; readonly query: z.output<z.ZodObject<Query>> },
    caller: Caller,
  ) => Promise<Pick<Page, 'headers' | 'body'>>
}): Endpoint {
  const { path, summary, access, query, run } = definition
  return {
    method: 'GET',
    path,
    summary,
    access,
    stepUp: false,
    onDuty: false,
    output: { fileType: 'text/html' },
    body: null,
    tenancy: tenancyOf(path, access),
    query: z.strictObject(query),
    // As above.
    serve: async (input, visit) => ({ answer: new Page(await run(input as never, visit as Caller)), audit: 'none' }),
  }
}

/** Everything that changes or reveals something. */
export function changeEndpoint<const Path extends string, Body extends z.ZodType, Output extends z.ZodType>(
  definition: EndpointDescription<Path, Output> & {
    readonly method: Exclude<Method, 'GET'>
    readonly access: Permission | 'signed-in'
    readonly stepUp?: true
    readonly onDuty?: true
    readonly body: Body
    readonly bodyBytes?: number
    readonly run: (
      input: { readonly params: Params<Path>; readonly body: z.output<Body> },
      caller: Caller,
    ) => Promise<ChangeResult<z.input<Output>>>
  },
): Endpoint {
  const { method, path, summary, access, output, body, bodyBytes, run } = definition
  return {
    ...(bodyBytes === undefined ? {} : { bodyBytes }),
    method,
    path,
    summary,
    access,
    stepUp: definition.stepUp === true,
    onDuty: definition.onDuty === true,
    output,
    body,
    tenancy: tenancyOf(path, access),
    query: z.strictObject({}),
    // As above.
    serve: (input, visit) => run(input as never, visit as Caller),
  }
}

/** What leads to a session. */
export function signInEndpoint<const Path extends string, Body extends z.ZodType, Output extends z.ZodType>(
  definition: EndpointDescription<Path, Output> & {
    readonly body: Body
    readonly run: (body: z.output<Body>, visit: Visit) => Promise<ChangeResult<z.input<Output>>>
  },
): Endpoint {
  const { path, summary, output, body, run } = definition
  return {
    method: 'POST',
    path,
    summary,
    access: 'open',
    tenancy: 'open',
    stepUp: false,
    onDuty: true,
    output,
    body,
    query: z.strictObject({}),
    // As above.
    serve: (input, visit) => run(input.body as never, visit as Visit),
  }
}

function tenancyOf(path: string, access: Access): Tenancy {
  if (access === 'open') return 'open'
  if (access === 'signed-in') return 'own'
  if (path.includes(':merchantId')) return 'merchant'
  return reachOf(access) === 'platform' ? 'platform' : 'listed'
}
