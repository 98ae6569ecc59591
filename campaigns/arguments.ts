/**
 * The arguments of `npm run test:campaign --`: names of campaigns, `--seed=7`, any of their sizes (`--runs=20`), `--quick` for small sizes
 * and `--prove` for the planted faults.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Campaign, Sizes } from './campaign.ts'

export interface Request {
  readonly campaigns: readonly Campaign[]
  readonly seed: number
  readonly sizes: Sizes
  readonly quick: boolean
  /** Plant each campaign's fault, and require that it is found. */
  readonly prove: boolean
}

export class ArgumentError extends Error {}

export function readArguments(args: readonly string[], all: readonly Campaign[]): Request {
  const sizeNames = [...new Set(all.flatMap(({ sizes }) => Object.keys(sizes)))]
  const { values, positionals } = parse(args, sizeNames)
  const { quick, prove, ...numeric } = values
  const unknown = positionals.find((name) => !all.some((campaign) => campaign.name === name))
  if (unknown !== undefined) throw new ArgumentError(`There is no campaign ${unknown}.`)
  const numbers = Object.entries(numeric).map(([name, text]) => [name, wholeNumber(name, text)] as const)
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
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new ArgumentError(error instanceof Error ? error.message : String(error))
  }
}

function wholeNumber(name: string, text: unknown): number {
  if (typeof text !== 'string' || !/^[0-9]{1,10}$/.test(text))
    throw new ArgumentError(`--${name} takes a whole number.`)
  return Number(text)
}
