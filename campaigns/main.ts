/**
 * `npm run test:campaign [-- <name>… --seed=<n> --<size>=<n>]`: runs the campaigns and prints their figures, one per line. Ends with
 * status 1 when a figure is not what it must be.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ArgumentError, type Request, readArguments } from './arguments.ts'
import { type Campaign, type Findings, passes } from './campaign.ts'
import { campaigns } from './list.ts'
import { Random } from './stage/random.ts'

/** Each campaign is bounded: one that hangs has failed. */
const longestMs = 20 * 60_000
const faultsShown = 20

const write = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  process.exitCode = await main(readArguments(process.argv.slice(2), campaigns))
} catch (error) {
  if (!(error instanceof ArgumentError)) throw error
  write(`${error.message} Campaigns:`)
  for (const { name, asserts, sizes } of campaigns) {
    write(`  ${name.padEnd(16)}${asserts}`)
    write(
      `  ${''.padEnd(16)}${Object.entries(sizes)
        .map(([size, value]) => `--${size}=${value}`)
        .join(' ')}`,
    )
  }
  process.exitCode = 2
}

async function main({ campaigns: chosen, seed, sizes }: Request): Promise<number> {
  let failed = 0
  for (const campaign of chosen) {
    const line = (text: string): void => write(`${campaign.name.padEnd(16)}${text}`)
    line(`seed ${seed}`)
    const findings = await bounded(campaign, {
      random: new Random(seed),
      sizes: { ...campaign.sizes, ...sizes },
      database: 'own',
    })
    for (const { name, value, must } of findings.figures) {
      line(`${name.padEnd(38)}${value}${must === undefined || value === must ? '' : `   must be ${must}`}`)
    }
    for (const fault of findings.faults.slice(0, faultsShown)) line(`  ${fault}`)
    line(passes(findings) ? 'PASS' : 'FAIL')
    if (!passes(findings)) failed += 1
  }
  return failed === 0 ? 0 : 1
}

async function bounded(campaign: Campaign, terms: Parameters<Campaign['run']>[0]): Promise<Findings> {
  const over = new AbortController()
  const late = sleep(longestMs, undefined, { signal: over.signal }).then(
    () => broken(`It did not end within ${longestMs / 60_000} minutes.`),
    () => broken('It was ended.'),
  )
  const done = campaign
    .run(terms)
    .catch((error: unknown) => broken(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  try {
    return await Promise.race([done, late])
  } finally {
    over.abort()
  }
}

function broken(fault: string): Findings {
  return { figures: [{ name: 'broken off', value: 1, must: 0 }], faults: [fault] }
}
