/** The growth of a process, from the samples that `soak-hook.ts` writes inside it. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Program } from '../stage/program.ts'
import { until } from '../stage/stage.ts'

const sampleSchema = z.object({ rss: z.number(), heap: z.number(), descriptors: z.number(), lateMs: z.number() })
type Sample = z.infer<typeof sampleSchema>

export interface Growth {
  readonly name: string
  readonly leaksMemory: boolean
  readonly leaksDescriptors: boolean
  readonly figures: readonly (readonly [string, string])[]
}

interface GrowthTerms {
  readonly slackBytes: number
  /** The requests sent up to each sample. */
  readonly requests: readonly number[]
}

/** Beyond the slack: a cache may keep a row per request, but not its answer. */
const slackBytesPerRequest = 100
/** More than pools and kept-alive connections may still open after the first third. */
const slackDescriptors = 24
const sampledWithinMs = 30_000

/** Of a process that writes its samples into the file. */
export function measuringFlags(file: string): readonly string[] {
  const hook = new URL('./soak-hook.ts', import.meta.url)
  hook.searchParams.set('file', file)
  return ['--expose-gc', `--import=${hook.href}`]
}

export async function askForSample(program: Program, file: string, samples: number): Promise<void> {
  program.signal('SIGUSR2')
  const seconds = await until(async () => (await samplesIn(file)).length >= samples, sampledWithinMs)
  if (seconds === null) throw new Error(`${program.name} could not be measured.`)
}

export async function samplesIn(file: string): Promise<readonly Sample[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => sampleSchema.parse(JSON.parse(line)))
}

/**
 * Memory is compared from the middle to the end: by then a process has everything that it allocates once. Descriptors follow the requests in flight,
 * of which a slow moment of the machine has more. Only a leak has more of them at every moment of the last third than at any of the first.
 */
export function growthOf(name: string, samples: readonly Sample[], { slackBytes, requests }: GrowthTerms): Growth {
  const at = Math.floor((samples.length - 1) / 2)
  const [middle, last] = [samples[at], samples.at(-1)]
  if (!middle || !last) throw new Error(`${name} was not measured.`)
  const third = Math.max(1, Math.floor(samples.length / 3))
  const most = Math.max(...samples.slice(0, third).map(({ descriptors }) => descriptors))
  const least = Math.min(...samples.slice(-third).map(({ descriptors }) => descriptors))
  const since = (requests.at(-1) ?? 0) - (requests[at] ?? 0)
  return {
    name,
    leaksMemory: last.heap - middle.heap > slackBytes + slackBytesPerRequest * since,
    leaksDescriptors: least - most > slackDescriptors,
    figures: [
      ['heap, middle to end', `${megabytes(middle.heap)} to ${megabytes(last.heap)}`],
      ['resident, middle to end', `${megabytes(middle.rss)} to ${megabytes(last.rss)}`],
      ['descriptors, first and last third', `${most} at most, ${least} at least`],
      ['event loop late, p99', `${Math.max(...samples.map(({ lateMs }) => lateMs)).toFixed(0)} ms at most`],
    ],
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
