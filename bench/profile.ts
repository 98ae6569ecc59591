/** Where the CPU time of the api process goes: self time by package and by function, from Node's profile. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})

export interface Share {
  readonly name: string
  /** Of the time in which the process was not idle. */
  readonly share: number
}

interface Profile {
  readonly packages: readonly Share[]
  readonly functions: readonly Share[]
}

export async function readProfile(folder: string): Promise<Profile> {
  const recorded = await readRecorded(folder)
  return {
    packages: sharesOf(selfTimes(recorded, packageOf)),
    functions: sharesOf(selfTimes(recorded, functionOf)).slice(0, functionsShown),
  }
}

/** Milliseconds of self time by function. */
export async function readFunctionTimes(folder: string): Promise<ReadonlyMap<string, number>> {
  return selfTimes(await readRecorded(folder), functionOf)
}

const functionsShown = 40

type Recorded = z.infer<typeof profileSchema>
type Frame = Recorded['nodes'][number]['callFrame']

async function readRecorded(folder: string): Promise<Recorded> {
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.cpuprofile'))
  if (name === undefined) throw new Error(`The api process wrote no profile into ${folder}.`)
  return profileSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))
}

/** In milliseconds, without the time in which the process was idle. */
function selfTimes(
  { nodes, samples, timeDeltas }: Recorded,
  nameOf: (frame: Frame) => string,
): ReadonlyMap<string, number> {
  const names = new Map(
    nodes.map(({ id, callFrame }) => [id, callFrame.functionName === idle ? null : nameOf(callFrame)]),
  )
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? null
    if (name !== null) times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000)
  }
  return times
}

const idle = '(idle)'

function sharesOf(times: ReadonlyMap<string, number>): readonly Share[] {
  const total = [...times.values()].reduce((sum, ms) => sum + ms, 0)
  return [...times].map(([name, ms]) => ({ name, share: ms / total })).toSorted((a, b) => b.share - a.share)
}

const functionOf = (frame: Frame): string =>
  `${frame.functionName || '(anonymous)'} ${packageOf({ ...frame, functionName: '' })} ${frame.url.split('/').at(-1) ?? ''}:${frame.lineNumber + 1}`

/** An npm package, a folder of ours, or a part of Node; functions without an address belong to V8. */
function packageOf({ url, functionName }: Frame): string {
  const [, installed] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (installed !== undefined) return installed
  const [, own] = /\/((?:server\/src|domain\/src)(?:\/[^/]+(?=\/))?)/.exec(url) ?? []
  if (own !== undefined) return own
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  return url === '' ? functionName || 'native' : url
}
