/**
 * The arguments of `npm run test:campaign --`: names of campaigns, `--seed=7`, any of their sizes (`--runs=20`), `--quick` for small sizes,
 * `--prove` for the planted faults, `--acquirer` for the stand-ins of real acquirers and `--from` for the release of an upgrade.
 */
import { randomInt } from 'node:crypto'
import { chosenStandIns } from '#server/demo/acquirer-stand-ins.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { readOptions, UsageError, wholeNumber } from '../tools/command-line.ts'
import { type Campaign, campaignOver, type Sizes } from './campaign.ts'

export interface Request {
  readonly campaigns: readonly Campaign[]
  readonly seed: number
  readonly sizes: Sizes
  readonly quick: boolean
  /** Plant each campaign's fault, and require that it is found. */
  readonly prove: boolean
  /** The release from which an upgrade starts. */
  readonly from: string | undefined
}

export function campaignUsage(all: readonly Campaign[]): string {
  const rows = all.flatMap(({ name, asserts, sizes }) => [
    `  ${name.padEnd(16)}${asserts}`,
    `  ${''.padEnd(16)}${Object.entries(sizes)
      .map(([size, value]) => `--${size}=${value}`)
      .join(' ')}`,
  ])
  return `Usage: npm run test:campaign -- [CAMPAIGN…] [--seed=N] [--SIZE=N…] [--quick] [--prove] [--acquirer NAME|all] [--from=REF]

Runs campaigns, all of them by default, and prints their figures.

  --seed=N  repeats the run with that seed
  --quick   takes small sizes
  --prove   plants each campaign's fault, and requires that it is found
  --acquirer NAME|all
            runs over the stand-ins of these acquirers, names separated by commas; possible with
            ${all
              .filter(({ overStandIns }) => overStandIns)
              .map(({ name }) => name)
              .join(', ')}
  --from=REF
            the release from which upgrade starts, a tag or a commit; by default the newest tag v* before this commit,
            or this checkout if there is none

Campaigns with their sizes:
${rows.join('\n')}`
}

export function readArguments(args: readonly string[], all: readonly Campaign[]): Request {
  const sizeNames = [...new Set(all.flatMap(({ sizes }) => Object.keys(sizes)))]
  const { values, positionals } = parse(args, sizeNames)
  const { quick, prove, acquirer, from, ...numeric } = values
  const unknown = positionals.find((name) => !all.some((campaign) => campaign.name === name))
  if (unknown !== undefined) throw new UsageError(`There is no campaign ${unknown}.`)
  const numbers = Object.entries(numeric).map(([name, text]) => [name, wholeNumber(name, String(text))] as const)
  const { seed = randomInt(2 ** 31), ...sizes } = Object.fromEntries(numbers)
  const named = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name))
  if (from !== undefined) requireUseOfFrom(named, prove === true)
  return {
    campaigns: acquirer === undefined ? named : overStandIns(named, standInsNamed(String(acquirer)), positionals),
    seed,
    sizes,
    quick: quick === true,
    prove: prove === true,
    from: from === undefined ? undefined : String(from),
  }
}

function requireUseOfFrom(campaigns: readonly Campaign[], prove: boolean): void {
  if (prove) throw new UsageError('--prove does not take --from.')
  const [first, ...others] = campaigns
  if (campaigns.some(({ takesFrom }) => takesFrom)) return
  throw new UsageError(
    others.length === 0 && first ? `${first.name} does not take --from.` : 'None of these takes --from.',
  )
}

/** Campaigns that were not asked for by name are left out if they have no such form. */
function overStandIns(
  campaigns: readonly Campaign[],
  standIns: readonly string[],
  names: readonly string[],
): readonly Campaign[] {
  return campaigns.flatMap((campaign) => {
    const over = campaignOver(campaign, standIns)
    if (!over && names.includes(campaign.name)) throw new UsageError(`${campaign.name} does not take --acquirer.`)
    return over ? [over] : []
  })
}

function standInsNamed(wish: string): readonly string[] {
  try {
    return chosenStandIns(wish)
  } catch (error) {
    throw error instanceof StartupError ? new UsageError(error.message) : error
  }
}

function parse(args: readonly string[], sizeNames: readonly string[]) {
  const numbers = Object.fromEntries(['seed', ...sizeNames].map((name) => [name, { type: 'string' as const }]))
  const options = {
    ...numbers,
    quick: { type: 'boolean' as const },
    prove: { type: 'boolean' as const },
    acquirer: { type: 'string' as const },
    from: { type: 'string' as const },
  }
  return readOptions({ args: [...args], options, allowPositionals: true })
}
