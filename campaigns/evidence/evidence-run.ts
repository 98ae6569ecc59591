/** Each campaign of the evidence runs in its own process, so that a crash does not affect the others. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Figure, Findings } from '../campaign.ts'
import { abortedFindings, type Proof, proveCampaign } from '../judge.ts'
import { campaigns } from '../list.ts'
import type { CampaignRun } from './evidence-page.ts'

export interface Order {
  /** In the order in which they run. */
  readonly names: readonly string[]
  readonly quick: boolean
  readonly seed: number
  readonly out: string
}

export async function runCampaign(name: string, { quick, seed }: Order): Promise<CampaignRun> {
  const campaign = campaigns.find((one) => one.name === name)
  if (!campaign) throw new Error(`There is no campaign ${name}.`)
  const begun = performance.now()
  const args = [name, `--seed=${seed}`, ...(quick ? ['--quick'] : [])]
  const [findings] = await collectMessages<Findings>('../main.ts', args)
  const proof: Proof = await proveCampaign(campaign, seed)
  return {
    name,
    seed,
    sizes: { ...campaign.sizes, ...(quick ? campaign.quick : {}) },
    findings: findings ?? abortedFindings('Its process crashed.'),
    proof,
    seconds: secondsSince(begun),
  }
}

const mutantsProgram = fileURLToPath(new URL('../../tools/mutants/main.ts', import.meta.url))

/** Mutants are planted faults themselves, and need none. */
export async function runMutants(): Promise<CampaignRun> {
  const begun = performance.now()
  const figures = existsSync(mutantsProgram)
    ? (await collectMessages<readonly Figure[]>(mutantsProgram, []))[0]
    : undefined
  const findings: Findings = figures ? { figures, faults: [] } : abortedFindings('The mutants run reported no figures.')
  return { name: 'mutants', seed: null, sizes: {}, findings, proof: null, seconds: secondsSince(begun) }
}

let child: ChildProcess | null = null

export function stopChild(): void {
  child?.kill('SIGTERM')
}

/** The messages of one of our programs, while its lines go to our output. */
async function collectMessages<T>(program: string, args: readonly string[]): Promise<readonly T[]> {
  child = fork(fileURLToPath(new URL(program, import.meta.url)), args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const messages: T[] = []
  // Only our own programs send messages, each of one kind.
  child.on('message', (message) => messages.push(message as T))
  await once(child, 'exit')
  child = null
  return messages
}

const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 1000)
