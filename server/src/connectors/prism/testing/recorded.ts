/**
 * Recorded exchanges with the helper process, so that the connector is tested without the package. A fixture states the operation, the acquirer's
 * replies and the outcome; `recorded` is what the real helper was asked and what it answered, written by `tools/prism/record.ts`.
 */
import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { BuiltRequest, PrismCall, PrismReply, PrismResult } from '../transformer/protocol.ts'
import { HelperFault, type Transformer } from '../transformer/transformer.ts'

const replySchema = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()).default({ 'content-type': 'application/json' }),
  body: z.unknown().optional(),
  text: z.string().optional(),
})

const stepSchema = z.object({
  task: z.enum(['build', 'read']),
  flow: z.string(),
  request: z.unknown(),
  result: z.unknown(),
})

const exchangeSchema = z.object({
  title: z.string(),
  operation: z.enum(['sale', 'authorize', 'capture', 'refund', 'reverse', 'status']),
  given: z.record(z.string(), z.unknown()).default({}),
  replies: z.array(replySchema),
  outcome: z.record(z.string(), z.unknown()),
  recorded: z.array(stepSchema).default([]),
})

const fixtureSchema = z.object({
  connector: z.string(),
  /** Where the acquirer's replies come from. Those of an acquirer are written by us after its public documentation; none is recorded. */
  source: z.string(),
  credentials: z.record(z.string(), z.string()),
  exchanges: z.array(exchangeSchema),
})

export type PrismFixture = z.infer<typeof fixtureSchema>
export type PrismExchange = PrismFixture['exchanges'][number]
export type RecordedStep = z.infer<typeof stepSchema>

export const fixtureFolder = new URL('../fixtures/', import.meta.url)

export async function readFixtures(): Promise<readonly (readonly [file: string, fixture: PrismFixture])[]> {
  const files = (await readdir(fixtureFolder)).filter((file) => file.endsWith('.json')).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, fixtureFolder), 'utf8')
      return [file, fixtureSchema.parse(JSON.parse(text))] as const
    }),
  )
}

export const replyText = ({ body, text }: z.infer<typeof replySchema>): string =>
  text ?? (body === undefined ? '' : JSON.stringify(body))

/** Answers as the real helper did. A request that it was not asked is a fault of the mapping, or the recording is out of date. */
export function replay(steps: readonly RecordedStep[]): Transformer {
  const left = [...steps]
  const next = (task: RecordedStep['task'], call: PrismCall): unknown => {
    const step = left.shift()
    const actual = plain({ task, flow: call.flow, request: call.request })
    const recorded = plain(step && { task: step.task, flow: step.flow, request: step.request })
    if (!isDeepStrictEqual(actual, recorded))
      throw new Error(
        `Asked ${JSON.stringify(actual)}, recorded ${JSON.stringify(recorded)}. Record anew: tools/prism/record.ts.`,
      )
    return step?.result
  }
  return {
    build: async (call) => builtOf(next('build', call)),
    read: async (call, _reply: PrismReply) => resultSchema.parse(next('read', call)),
    readEvent: async () => ({ kind: 'refused', refusal: { code: 'NOT_RECORDED', message: '', error: null } }),
    greet: async () => {
      throw new HelperFault('A recording has no process.')
    },
    close: () => undefined,
  }
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

const refused = z.object({
  kind: z.literal('refused'),
  refusal: z.object({ code: z.string(), message: z.string(), error: z.unknown() }),
})
const resultSchema = z.union([refused, z.object({ kind: z.literal('done'), value: z.unknown() })])
const builtSchema = z.union([
  refused,
  z.object({
    kind: z.literal('done'),
    value: z.object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      text: z.string().nullable(),
    }),
  }),
])

function builtOf(result: unknown): PrismResult<BuiltRequest> {
  const parsed = builtSchema.parse(result)
  if (parsed.kind === 'refused') return parsed
  const { text, ...rest } = parsed.value
  return { kind: 'done', value: { ...rest, body: text === null ? null : Buffer.from(text, 'utf8') } }
}
