/**
 * `npm run evidence [-- --quick --only=<names> --seed=<n> --with-mutants --out=<file>]`: runs the campaigns and their planted faults one
 * after the other, and writes one page with the results. The page is rewritten after each, so an interrupted run leaves what was done until
 * then. Ends with status 1 if a figure does not have its required value or a planted fault was not found.
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { systemClock } from '#server/process/clock.ts'
import { readOptions, runProgram, UsageError, wholeNumber } from '../../tools/command-line.ts'
import { campaigns } from '../list.ts'
import { requirements } from '../requirements.ts'
import { evidenceFacts } from './evidence-facts.ts'
import { type CampaignRun, type Evidence, evidencePage, hasSucceeded } from './evidence-page.ts'
import { type Order, runCampaign, runMutants, stopChild } from './evidence-run.ts'

const write = (line: string): void => void process.stdout.write(`${line}\n`)

const usage = `Usage: npm run evidence -- [--quick] [--only=races,ledger] [--seed=7] [--with-mutants] [--out=FILE]

Runs campaigns and their planted faults, and writes one page with the results.

  --quick         takes small sizes
  --only=NAMES    runs only these campaigns: ${campaigns.map(({ name }) => name).join(', ')}
  --seed=N        repeats the run with that seed
  --with-mutants  also runs the mutation tests
  --out=FILE      writes there instead of evidence.md in DATA_DIR`

process.exitCode = await runProgram(usage, main)

async function main(): Promise<number> {
  const order = readOrder()
  const done: CampaignRun[] = []
  const facts = evidenceFacts(systemClock().now())
  const put = (state: Evidence['state']): void =>
    putPage(order.out, evidencePage({ facts, state, chosen: order.names, done }, requirements))
  const interrupt = (): void => {
    put('interrupted')
    write(`Interrupted. Results so far: ${order.out}`)
    stopChild()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)

  put('running')
  for (const name of order.names) {
    write(`${done.length + 1} of ${order.names.length}: ${name}`)
    const one = name === 'mutants' ? await runMutants() : await runCampaign(name, order)
    done.push(one)
    write(`  ${hasSucceeded(one) ? 'passed' : 'FAILED'}, ${one.seconds} s`)
    put('running')
  }
  put('complete')
  write(`Evidence: ${order.out}`)
  return done.every(hasSucceeded) ? 0 : 1
}

function readOrder(): Order {
  const { values } = readOptions({
    options: {
      quick: { type: 'boolean', default: false },
      'with-mutants': { type: 'boolean', default: false },
      only: { type: 'string' },
      seed: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const all = campaigns.map(({ name }) => name)
  const wanted = values.only?.split(',').map((name) => name.trim())
  const unknown = wanted?.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no campaign ${unknown}.`)
  return {
    names: [...all.filter((name) => wanted?.includes(name) ?? true), ...(values['with-mutants'] ? ['mutants'] : [])],
    quick: values.quick,
    seed: values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('seed', values.seed),
    out: resolve(values.out ?? join(process.env['DATA_DIR'] ?? '.', 'evidence.md')),
  }
}

/** Atomically: a reader never sees half a page. */
function putPage(file: string, page: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.part`, page)
  renameSync(`${file}.part`, file)
}
