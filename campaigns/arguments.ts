/**
 * The arguments of `npm run test:campaign --`: names of campaigns, `--seed=7`, any of their sizes (`--runs=20`), `--quick` for small sizes
 * and `--prove` for the planted faults.
 */
import { randomInt } from 'node:crypto'
import { readOptions, UsageError, wholeNumber } from '../tools/command-line.ts'
import type { Campaign, Sizes } from './campaign.ts'

export interface Request {
  readonly campaigns: readonly Campaign[]
  readonly seed: number
  readonly sizes: Sizes
  readonly quick: boolean
  /** Plant each campaign's fault, and require that it is found. */
  readonly prove: boolean
}

export function campaignUsage(all: readonly Campaign[]): string {
  const rows = all.flatMap(({ name, asserts, sizes }) => [
    `  ${name.padEnd(16)}${asserts}`,
    `  ${''.padEnd(16)}${Object.entries(sizes)
      .map(([size, value]) => `--${size}=${value}`)
      .join(' ')}`,
  ])
  return `Usage: npm run test:campaign -- [CAMPAIGN…] [--seed=N] [--SIZE=N…] [--quick] [--prove]

Runs campaigns, all of them by default, and prints their figures.

  --seed=N  repeats the run with that seed
  --quick   takes small sizes
  --prove   plants each campaign's fault, and requires that it is found

Campaigns with their sizes:
${rows.join('\n')}`
}

export function readArguments(args: readonly string[], all: readonly Campaign[]): Request {
  const sizeNames = [...new Set(all.flatMap(({ sizes }) => Object.keys(sizes)))]
  const { values, positionals } = parse(args, sizeNames)
  const { quick, prove, ...numeric } = values
  const unknown = positionals.find((name) => !all.some((campaign) => campaign.name === name))
  if (unknown !== undefined) throw new UsageError(`There is no campaign ${unknown}.`)
  const numbers = Object.entries(numeric).map(([name, text]) => [name, wholeNumber(name, String(text))] as const)
  const { seed = randomInt(2 ** 31), ...sizes } = Object.fromEntries(numbers)
  return {
    campaigns: positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name)),
    seed,
    sizes,
    quick: quick === true,
    prove: prove === true,
  }
}

function parse(args: readonly string[], sizeNames: readonly string[]) {
  const numbers = Object.fromEntries(['seed', ...sizeNames].map((name) => [name, { type: 'string' as const }]))
  const options = { ...numbers, quick: { type: 'boolean' as const }, prove: { type: 'boolean' as const } }
  return readOptions({ args: [...args], options, allowPositionals: true })
}
