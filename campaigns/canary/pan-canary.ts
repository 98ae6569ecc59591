/**
 * Card numbers and verification codes that occur nowhere else go through every flow; then everything the gateway leaves behind is searched
 * for them: logs, rows and files of the database, the acquirer's folder, callbacks, answers, metrics, and for the codes the memory of the
 * process.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'undici'
import { type Campaign, type Findings, sizeOf, type Terms } from '../campaign.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import { createCanaries } from './canary.ts'
import { flows, sendCanary } from './canary-flows.ts'
import { type Sink, searchFor } from './canary-search.ts'
import { guiltyPlaces, type Trace, type TracedCanary, tracesOf, wholeRecord } from './canary-traces.ts'
import { heapTexts } from './heap-texts.ts'

export const panCanary: Campaign = {
  name: 'pan-canary',
  asserts: 'card numbers and codes reach no log, row, file, callback, answer or metric, and no code stays in memory.',
  sizes: { each: 5 },
  quick: { each: 1 },
  run,
  plantedFault: {
    what: 'the verification code is written into the payer’s city, behind another letter',
    seenIn: 'places with codes inside other text',
    patches: [
      {
        file: 'server/src/protocols/s2s-card/first-step-request.ts',
        find: "payer: personIn('payer_', input),",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into a file of code.
        replace: "payer: { ...personIn('payer_', input), city: `x${Reflect.get(input, 'card_cvv2')?.reveal()}` },",
      },
    ],
  },
}

const settleWithinMs = 60_000
/** Enough for outcomes that the acquirer decides late. Chapter 10 §12, "Resolves". */
const resolvedAfterMs = 40_000

interface ReleasedCanary extends TracedCanary {
  readonly answer: string
}

async function run(terms: Terms): Promise<Findings> {
  await using stage = await openStage({ apis: 1, workers: 1, database: 'own', logLevel: 'debug', watchHeap: true })
  const released = await releaseAll(stage, terms)
  await stage.advance(resolvedAfterMs)
  await until(() => isQuiet(stage), settleWithinMs)

  const search = searchFor(released)
  const answers = released.map(({ answer }) => answer)
  const sinks = await sinksOf(stage, answers)
  const memory = search.among(await heapTexts(stage))
  const guilty = guiltyPlaces(await withPayments(stage, released), await tracesIn(stage, released))
  const hits = [
    ...sinks.flatMap((sink) => search.hits(sink)),
    ...memory.codes.map((code) => `code ${code} in the memory of the api process`),
  ]
  const sent = released.map(({ pan, code }) => `card_number=${pan}&card_cvv2=${code}&`).join('')
  const seen = search.hits({ name: 'what was sent', bytes: Buffer.from(sent) }).length
  return {
    figures: [
      { name: 'flows', value: flows.length },
      { name: 'canaries', value: released.length },
      // A control: a search that finds nothing where a number surely is would find nothing anywhere.
      {
        name: 'not found where they must be',
        value: new Set(released.flatMap(({ pan, code }) => [pan, code])).size - seen,
        must: 0,
      },
      { name: 'sinks', value: sinks.length + 1 },
      { name: 'megabytes searched', value: Math.round(sinks.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6) },
      { name: 'hits', value: hits.length, must: 0 },
      { name: 'places with codes inside other text', value: guilty.length, must: 0 },
      // A number may be in memory during its payment, and until the memory is reused.
      { name: 'numbers still in memory', value: memory.numbers.length },
    ],
    faults: [...hits, ...guilty],
  }
}

async function releaseAll(stage: Stage, terms: Terms): Promise<readonly ReleasedCanary[]> {
  const each = sizeOf(terms, 'each')
  const otherNumbers = flows.flatMap(({ card }) => (card ? [card.number] : []))
  const alreadyInMemory = new Set(await heapTexts(stage))
  const canaries = createCanaries(terms.random, flows.length * each, { alreadyInMemory, otherNumbers })
  const released: ReleasedCanary[] = []
  for (const [index, canary] of canaries.entries()) {
    const flow = flows[index % flows.length]
    if (!flow) continue
    const [orderId, requestId] = [`ORDER-${index}`, `CANARY-${index}`]
    const answer = await sendCanary(stage, flow, canary, { orderId, requestId })
    const names = [orderId, `${orderId}-again`, requestId]
    released.push({ ...canary, pan: flow.card?.number ?? canary.pan, names, answer })
  }
  return released
}

/** A canary is also identified by its payments. */
async function withPayments({ pool }: Stage, released: readonly ReleasedCanary[]): Promise<readonly TracedCanary[]> {
  const { rows } = await pool.query<{ id: string; order_id: string }>('select id, order_id from payments')
  const ids = Map.groupBy(rows, ({ order_id }) => order_id)
  return released.map((canary) => {
    const payments = canary.names.flatMap((name) => ids.get(name) ?? [])
    return { ...canary, names: [...canary.names, ...payments.map(({ id }) => id)] }
  })
}

/** Rows, log lines, callbacks and answers, each as a separate record. */
async function tracesIn(stage: Stage, released: readonly ReleasedCanary[]): Promise<readonly Trace[]> {
  const rows = await tables(stage)
  const logs = await Promise.all(
    [...stage.apis, ...stage.workers].map(async ({ name, logFile }) =>
      linesOf(`log of ${name}`, await readFile(logFile)),
    ),
  )
  return [
    ...rows.flatMap(({ name, bytes }) => linesOf(name, bytes)),
    ...logs.flat(),
    ...stage.receiver.arrivals.flatMap(({ fields }) =>
      tracesOf('callback', JSON.stringify(Object.fromEntries(fields))),
    ),
    ...released.flatMap(({ answer, names }) => [
      { place: wholeRecord, text: names.join(' ') },
      { place: 'answer', text: answer },
    ]),
  ]
}

const linesOf = (name: string, bytes: Buffer): readonly Trace[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => tracesOf(name, line))

async function sinksOf(stage: Stage, answers: readonly string[]): Promise<readonly Sink[]> {
  const metrics = await request(`${only(stage.apis).url}/metrics`)
  return [
    { name: 'answers', bytes: Buffer.from(answers.join('\n')) },
    { name: 'callbacks', bytes: Buffer.from(stage.receiver.arrivals.map(({ body }) => body).join('\n')) },
    { name: 'metrics', bytes: Buffer.from(await metrics.body.text()) },
    ...(await tables(stage)),
    ...(await filesBelow(stage.folder)),
  ]
}

/** Rows as JSON: texts in quotation marks, bytes in hexadecimal. */
async function tables({ pool }: Stage): Promise<readonly Sink[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select format('%I', tablename) as name from pg_tables where schemaname = 'public' order by 1",
  )
  return Promise.all(
    rows.map(async ({ name }) => {
      const dump = await pool.query<{ line: string }>(`select row_to_json(t)::text as line from ${name} t`)
      return { name: `table ${name}`, bytes: Buffer.from(dump.rows.map(({ line }) => line).join('\n')) }
    }),
  )
}

/** Logs, keys, the acquirer's folder and the database's files with its WAL; heap snapshots are searched separately. */
async function filesBelow(folder: string): Promise<readonly Sink[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const searchedPaths = paths.filter((path) => !path.endsWith('.heapsnapshot'))
  // The database may remove one of its files between listing and reading.
  return Promise.all(
    searchedPaths.map(async (path) => ({
      name: path.slice(folder.length + 1),
      bytes: await readFile(path).catch(() => Buffer.alloc(0)),
    })),
  )
}
