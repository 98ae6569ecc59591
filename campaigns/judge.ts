/** Runs one campaign to its verdict, within its time, and proves that its planted fault makes it fail. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Campaign,
  type Findings,
  isAsItMust,
  joinFindings,
  type Progress,
  type Sizes,
  type Terms,
} from './campaign.ts'
import { patchFlag } from './patch.ts'
import { Random } from './stage/random.ts'

interface RunOptions {
  readonly seed: number
  readonly sizes?: Sizes
  readonly quick?: boolean
  readonly from?: string | undefined
  /** Called with each part of the campaign that has ended. */
  readonly onPart?: (part: Findings) => void
  /** Called with each step of a long campaign. */
  readonly onProgress?: Progress
}

const usualMinutes = 20

/** A campaign that throws or hangs has failed; the parts that had ended keep their figures. */
export function judgeCampaign(campaign: Campaign, options: RunOptions): Promise<Findings> {
  const quick = options.quick ? campaign.quick : undefined
  return within(campaign, campaign.run, {
    seed: options.seed,
    sizes: { ...campaign.sizes, ...quick, ...options.sizes },
    from: options.from,
    ...(options.onPart && { onPart: options.onPart }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  })
}

/** The result of a proof. */
export interface Proof {
  readonly verdict: 'found' | 'not found' | 'not proven'
  /** Why the fault was not found. */
  readonly reason: string
}

/** Runs the campaign in a separate process with its fault planted. */
export async function proveCampaign(campaign: Campaign, seed: number): Promise<Proof> {
  const { plantedFault } = campaign
  if (!plantedFault) return { verdict: 'not proven', reason: 'The campaign has no planted fault.' }
  const flags = plantedFault.patches ? [patchFlag(plantedFault.patches)] : []
  const args = [campaign.name, String(seed), ...(campaign.standIns ?? [])]
  const child = fork(fileURLToPath(new URL('./planted.ts', import.meta.url)), args, {
    execArgv: ['--disable-warning=ExperimentalWarning', ...flags],
  })
  const said: unknown[] = []
  child.on('message', (message) => said.push(message))
  await once(child, 'exit')
  // Our own process sends the result of `runPlanted`, or nothing if it crashed.
  const [findings] = said as Findings[]
  return proofOf(campaign, findings ?? abortedFindings('The process with the planted fault crashed.'))
}

/** Runs in the process that has the fault. */
export function runPlanted(campaign: Campaign, seed: number): Promise<Findings> {
  const { plantedFault } = campaign
  const sizes = { ...campaign.sizes, ...campaign.quick, ...plantedFault?.sizes }
  return within(campaign, plantedFault?.run ?? campaign.run, { seed, sizes })
}

/** A crash is no finding: the fault has to show in its figure. */
export function proofOf({ plantedFault }: Campaign, findings: Findings): Proof {
  const figures = findings.figures.filter(({ name, must }) => name === plantedFault?.seenIn && must !== undefined)
  const violation = figures.find((figure) => !isAsItMust(figure))
  if (violation) return { verdict: 'found', reason: `${violation.name} ${violation.value}, must be ${violation.must}` }
  const [fault = ''] = findings.faults
  const reason =
    figures.length === 0
      ? `No figure "${plantedFault?.seenIn}" was reported. ${fault}`
      : `"${plantedFault?.seenIn}" passed.`
  return { verdict: 'not found', reason }
}

async function within(
  campaign: Campaign,
  run: Campaign['run'],
  options: Required<Pick<RunOptions, 'sizes' | 'seed'>> & Pick<RunOptions, 'onPart' | 'onProgress' | 'from'>,
): Promise<Findings> {
  const ended: Findings[] = []
  const report = (part: Findings): void => {
    ended.push(part)
    options.onPart?.(part)
  }
  const abort = (fault: string): Findings => joinFindings(...ended, abortedFindings(fault))
  const { seed, sizes, from, onProgress } = options
  const terms: Terms = {
    random: new Random(seed),
    sizes,
    database: 'own',
    report,
    ...(from !== undefined && { from }),
    ...(onProgress && { progress: onProgress }),
  }
  const minutes = campaign.longestMinutes ?? usualMinutes
  const over = new AbortController()
  const late = sleep(minutes * 60_000, undefined, { signal: over.signal }).then(
    () => abort(`The campaign did not end within ${minutes} minutes.`),
    () => abort('The campaign was stopped.'),
  )
  const done = run(terms).catch((error: unknown) =>
    abort(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )
  try {
    return await Promise.race([done, late])
  } finally {
    over.abort()
  }
}

export function abortedFindings(fault: string): Findings {
  return { figures: [{ name: 'aborted', value: 1, must: 0 }], faults: [fault] }
}
