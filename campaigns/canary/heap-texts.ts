/** Reads every text in the memory of the api process after garbage collection. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { request } from 'undici'
import { z } from 'zod'
import { only, type Stage, until } from '../stage/stage.ts'

/** Of millions of elements; a file that was cut off is no JSON. */
const listOf = <Element>() => z.custom<readonly Element[]>((value) => Array.isArray(value))

/** A node is a fixed number of numbers, one of which is its type and one the index of its text. */
const snapshotSchema = z.object({
  snapshot: z.object({
    meta: z.object({ node_fields: z.array(z.string()), node_types: z.tuple([z.array(z.string())], z.unknown()) }),
  }),
  nodes: listOf<number>(),
  strings: listOf<string>(),
})
const writtenWithinMs = 60_000

/** The stage must have been opened with `watchHeap`. */
export async function heapTexts(stage: Stage): Promise<readonly string[]> {
  const api = only(stage.apis)
  api.signal('SIGUSR2')
  await until(async () => (await snapshots(stage)).length > 0, writtenWithinMs)
  // The process is blocked while it writes, so its next answer means that the file is complete.
  await (await request(`${api.url}/service/alive`)).body.dump()
  const [path] = await snapshots(stage)
  if (path === undefined) throw new Error('The api process wrote no heap snapshot.')
  const texts = textsIn(snapshotSchema.parse(JSON.parse(await readFile(path, 'utf8'))))
  await rm(path)
  // The configuration is always in memory: a snapshot without it was misread.
  if (!texts.includes(stage.merchant.key)) throw new Error('The heap snapshot is not complete.')
  return texts
}

/** Only nodes that are texts themselves: the list of names also contains the indexes of long arrays. */
function textsIn({ snapshot, nodes, strings }: z.infer<typeof snapshotSchema>): readonly string[] {
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [typeAt, nameAt] = [fields.indexOf('type'), fields.indexOf('name')]
  const isText = types[0].map((type) => type.endsWith('string'))
  const texts: string[] = []
  for (let node = 0; node < nodes.length; node += fields.length) {
    if (isText[nodes[node + typeAt] ?? 0]) texts.push(strings[nodes[node + nameAt] ?? 0] ?? '')
  }
  return texts
}

async function snapshots({ folder }: Stage): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.heapsnapshot')).map((name) => join(folder, name))
}
