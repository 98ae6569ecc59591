/**
 * What a connector brings for the contract test: `fixtures/credentials.json`, and one file per exchange. A file that is missing or does not
 * fit is named with its field and what is expected, and no exchange is tried.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type ZodType, z } from 'zod'
import { readValue } from '../../contracts/value-faults.ts'
import type { Credentials } from '../credentials.ts'

export const firstSteps = ['sale', 'authorize', 'debit', 'credit', 'transfer'] as const
export const laterSteps = ['capture', 'refund', 'reverse', 'void'] as const
export const operations = [...firstSteps, ...laterSteps, 'status', 'complete', 'undo'] as const
export type TestedOperation = (typeof operations)[number]

const headers = z.record(z.string(), z.string())

const requestSchema = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  headers,
  /** The value of a JSON body. */
  body: z.unknown().optional(),
  /** The exact text of any other body. */
  text: z.string().optional(),
})

const replySchema = z.object({
  status: z.int(),
  /** Sent as JSON. */
  body: z.unknown().optional(),
  /** Sent as it is, as content of `type`. */
  text: z.string().optional(),
  type: z.string().optional(),
  headers: headers.optional(),
})

const stepSchema = z.object({ request: requestSchema, reply: replySchema })

const fixtureSchema = z.object({
  operation: z.enum(operations),
  given: z.record(z.string(), z.unknown()).optional(),
  /** What the payer did instead of paying, where the reply says so. */
  payer: z.enum(['cancelled', 'expired']).optional(),
  /** An exchange of one request has these; one of several has `steps`; one that sends nothing has neither. */
  request: requestSchema.optional(),
  reply: replySchema.optional(),
  steps: z.array(stepSchema).optional(),
  outcome: z.looseObject({ result: z.string(), reason: z.string().optional(), declineClass: z.string().optional() }),
})

type Fixture = z.infer<typeof fixtureSchema> & { readonly file: string }

/** The requests of a fixture in their order, each with its reply. */
export function stepsOf({ request, reply, steps = [] }: Fixture): readonly z.infer<typeof stepSchema>[] {
  return request && reply ? [{ request, reply }, ...steps] : steps
}

/** Of a connector that fetches an access token: the path it is fetched at, and the answer. */
const tokenSchema = z.object({ path: z.string().startsWith('/'), reply: replySchema })

export interface ContractFixtures {
  readonly credentials: Credentials
  readonly exchanges: readonly Fixture[]
  readonly token: z.infer<typeof tokenSchema> | null
}

type FixturesReading =
  | { readonly ok: true; readonly fixtures: ContractFixtures }
  | { readonly ok: false; readonly faults: readonly string[] }

const notExchanges: ReadonlySet<string> = new Set(['credentials.json', 'token.json'])

export async function readFixtures(schema: ZodType<Credentials>, folder: URL): Promise<FixturesReading> {
  const credentials = await readJson(new URL('credentials.json', folder), schema)
  const listed: readonly string[] = await readdir(folder).catch(() => [])
  const files = listed.filter((file) => file.endsWith('.json') && !notExchanges.has(file)).toSorted()
  const exchanges = await Promise.all(files.map((file) => readJson(new URL(file, folder), fixtureSchema)))
  const token = listed.includes('token.json') ? await readJson(new URL('token.json', folder), tokenSchema) : null
  const faults = [credentials, ...exchanges, ...(token ? [token] : [])].flatMap((reading) =>
    reading.ok ? [] : reading.faults,
  )
  if (!credentials.ok || faults.length > 0) return { ok: false, faults }
  return {
    ok: true,
    fixtures: {
      credentials: credentials.value,
      token: token?.ok ? token.value : null,
      exchanges: exchanges.flatMap((reading) =>
        reading.ok ? [{ ...reading.value, file: basename(reading.file.pathname) }] : [],
      ),
    },
  }
}

type JsonReading<T> =
  | { readonly ok: true; readonly value: T; readonly file: URL }
  | { readonly ok: false; readonly faults: readonly string[] }

async function readJson<T>(file: URL, schema: ZodType<T>): Promise<JsonReading<T>> {
  const name = file.pathname.slice(file.pathname.lastIndexOf('/connectors/') + 1)
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return { ok: false, faults: [`${name} is missing: the contract test reads it.`] }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { ok: false, faults: [`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`] }
  }
  const reading = readValue(schema, json)
  if (reading.ok) return { ...reading, file }
  return { ok: false, faults: reading.faults.map(({ path, text: fault }) => `${name}: ${path || 'content'}: ${fault}`) }
}
