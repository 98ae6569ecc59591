/**
 * An endpoint of the admin API is a value: method, address, permission, input, output and operation. The routes, the OpenAPI document and
 * the test of every role against every merchant are generated from the list of endpoints.
 * The address and the permission determine whose data an endpoint may touch, so that no endpoint can forget the check: an address with
 * `:merchantId` is answered only for the caller's merchants, and a permission for the platform only for callers without a restriction to
 * merchants.
 * A change returns its entry for the audit log, or states that its own transaction has written the entry.
 */
import { z } from 'zod'
import type { Site } from '../../../panel/access/passkeys.ts'
import { type Permission, reachOf } from '../../../panel/access/permissions.ts'
import type { SignedIn } from '../../../panel/access/sessions.ts'
import type { AuditNote } from '../../../panel/audit/audit.ts'
import type { Actor, Visitor } from '../../../panel/context.ts'
import type { PanelContext } from '../../../panel/panel-context.ts'
import type { ArrivingFile } from './uploads/arriving-file.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `open` needs no session. `signed-in` needs a session but no permission, for actions on the caller's own account. */
type Access = Permission | 'open' | 'signed-in'

/**
 * `merchant`: the address names a merchant. `listed`: the answer is limited to the caller's merchants. `platform`: only for callers without
 * a restriction to merchants. `own`: the caller's own account.
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
  /** `written`: the transaction of the change has written the entry. `none`: nothing changed but the caller's own view of the panel. */
  readonly audit: AuditNote | 'written' | 'none'
  /** The new session cookie; null deletes it. */
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
  /** Null for an endpoint that changes nothing. */
  readonly body: z.ZodType | null
  /** The largest body in bytes, if it is larger than the default. */
  readonly bodyBytes?: number
  /** The body is a file of up to `bodyBytes`, read while it arrives. */
  readonly takesFile?: true
  /** Shows a secret or changes permissions, so that the caller must re-authenticate first. */
  readonly stepUp: boolean
  /** Also allowed to a user who must first choose a password or set up a second factor. */
  readonly onDuty: boolean
  /** The schema of the JSON answer, or the content type of a file. */
  readonly output: z.ZodType | { readonly fileType: string }
  serve(input: Input, visit: Visit | Caller): Promise<ChangeResult<unknown>>
}

/** A file that is streamed while it is generated. */
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

/** An HTML document with its own Content Security Policy. */
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
  readonly file: ArrivingFile | null
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type Params<Path extends string> = Readonly<Record<ParamNames<Path>, string>>

interface QueryInput<Path extends string, Query extends z.ZodRawShape> {
  readonly params: Params<Path>
  readonly query: z.output<z.ZodObject<Query>>
}

export interface EndpointDescription<Path extends string, Output extends z.ZodType> {
  readonly path: Path
  readonly summary: string
  readonly output: Output
}

/** GET: reads and changes nothing. */
export function queryEndpoint<const Path extends string, Query extends z.ZodRawShape, Output extends z.ZodType>(
  definition: EndpointDescription<Path, Output> & {
    readonly access: Permission | 'signed-in'
    readonly onDuty?: true
    readonly query?: Query
    readonly run: (input: QueryInput<Path, Query>, caller: Caller) => Promise<z.input<Output>> | z.input<Output>
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
    // Safe: `serve.ts` has read the input by this definition's schemas, and has checked the session if `access` requires one.
    serve: async (input, visit) => ({ answer: await run(input as never, visit as Caller), audit: 'none' }),
  }
}

/** GET: a file of any size. */
export function downloadEndpoint<const Path extends string, Query extends z.ZodRawShape>(definition: {
  readonly path: Path
  readonly summary: string
  readonly access: Permission
  readonly fileType: string
  readonly query?: Query
  readonly run: (input: QueryInput<Path, Query>, caller: Caller) => Promise<Pick<Download, 'fileName' | 'parts'>>
}): Endpoint {
  const { path, summary, access, fileType, run } = definition
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
    query: z.strictObject({ ...definition.query }),
    // As above.
    serve: async (input, visit) => {
      const { fileName, parts } = await run(input as never, visit as Caller)
      return { answer: new Download(fileName, fileType, parts), audit: 'none' }
    },
  }
}

/** GET: a page for a frame of the panel. */
export function pageEndpoint<const Path extends string, Query extends z.ZodRawShape>(definition: {
  readonly path: Path
  readonly summary: string
  readonly access: Permission
  readonly query: Query
  readonly run: (input: QueryInput<Path, Query>, caller: Caller) => Promise<Pick<Page, 'headers' | 'body'>>
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

/** Every endpoint that changes something or reveals a secret. */
export function changeEndpoint<
  const Path extends string,
  Body extends z.ZodType,
  Output extends z.ZodType,
  Query extends z.ZodRawShape = Record<never, never>,
>(
  definition: EndpointDescription<Path, Output> & {
    readonly method: Exclude<Method, 'GET'>
    readonly access: Permission | 'signed-in'
    readonly stepUp?: true
    readonly onDuty?: true
    readonly query?: Query
    readonly body: Body
    readonly bodyBytes?: number
    readonly run: (
      input: {
        readonly params: Params<Path>
        readonly query: z.output<z.ZodObject<Query>>
        readonly body: z.output<Body>
      },
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
    query: z.strictObject({ ...definition.query }),
    // As above.
    serve: (input, visit) => run(input as never, visit as Caller),
  }
}

/** GET before signing in. */
export function openQueryEndpoint<const Path extends string, Output extends z.ZodType>(
  definition: EndpointDescription<Path, Output> & {
    readonly run: (visit: Visit) => Promise<z.input<Output>> | z.input<Output>
  },
): Endpoint {
  const { path, summary, output, run } = definition
  return {
    method: 'GET',
    path,
    summary,
    access: 'open',
    tenancy: 'open',
    stepUp: false,
    onDuty: true,
    output,
    body: null,
    query: z.strictObject({}),
    // As above.
    serve: async (_, visit) => ({ answer: await run(visit as Visit), audit: 'none' }),
  }
}

/** A step of signing in. */
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

export function tenancyOf(path: string, access: Access): Tenancy {
  if (access === 'open') return 'open'
  if (access === 'signed-in') return 'own'
  if (path.includes(':merchantId')) return 'merchant'
  return reachOf(access) === 'platform' ? 'platform' : 'listed'
}
