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
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.cpuprofile'))
  if (name === undefined) throw new Error(`The api process wrote no profile into ${folder}.`)
  return summary(profileSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))))
}

const functionsShown = 40

function summary({ nodes, samples, timeDeltas }: z.infer<typeof profileSchema>): Profile {
  const selfTime = new Map<number, number>()
  for (const [index, id] of samples.entries()) selfTime.set(id, (selfTime.get(id) ?? 0) + (timeDeltas[index] ?? 0))
  const busy = nodes.filter(({ callFrame }) => callFrame.functionName !== '(idle)')
  const total = busy.reduce((sum, { id }) => sum + (selfTime.get(id) ?? 0), 0)
  const shares = (nameOf: (frame: (typeof nodes)[number]['callFrame']) => string): readonly Share[] =>
    [...Map.groupBy(busy, ({ callFrame }) => nameOf(callFrame))]
      .map(([name, members]) => ({
        name,
        share: members.reduce((sum, { id }) => sum + (selfTime.get(id) ?? 0), 0) / total,
      }))
      .toSorted((a, b) => b.share - a.share)
  return {
    packages: shares(({ url, functionName }) => packageOf(url, functionName)),
    functions: shares(
      ({ url, functionName, lineNumber }) =>
        `${functionName || '(anonymous)'} ${packageOf(url, '')} ${url.split('/').at(-1) ?? ''}:${lineNumber + 1}`,
    ).slice(0, functionsShown),
  }
}

/** An npm package, a folder of ours, or a part of Node; functions without an address belong to V8. */
function packageOf(url: string, functionName: string): string {
  const [, installed] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (installed !== undefined) return installed
  const [, own] = /\/((?:server\/src|domain\/src)(?:\/[^/]+(?=\/))?)/.exec(url) ?? []
  if (own !== undefined) return own
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  return url === '' ? functionName || 'native' : url
}
