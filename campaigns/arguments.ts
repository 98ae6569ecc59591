/** What may stand behind `npm run test:campaign --`: names of campaigns, `--seed=7`, and any size of theirs, `--runs=20`. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Campaign } from './campaign.ts'

export interface Request {
  readonly campaigns: readonly Campaign[]
  readonly seed: number
  readonly sizes: Readonly<Record<string, number>>
}

export class ArgumentError extends Error {}

export function readArguments(given: readonly string[], all: readonly Campaign[]): Request {
  const sizeNames = [...new Set(all.flatMap(({ sizes }) => Object.keys(sizes)))]
  const { values, positionals } = parse(given, sizeNames)
  const unknown = positionals.find((name) => !all.some((campaign) => campaign.name === name))
  if (unknown !== undefined) throw new ArgumentError(`There is no campaign ${unknown}.`)
  const numbers = Object.entries(values).map(([name, text]) => [name, wholeNumber(name, text)] as const)
  const { seed = randomInt(2 ** 31), ...sizes } = Object.fromEntries(numbers)
  return {
    campaigns: positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name)),
    seed,
    sizes,
  }
}

function parse(given: readonly string[], sizeNames: readonly string[]) {
  const options = Object.fromEntries(['seed', ...sizeNames].map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true })
  } catch (error) {
    throw new ArgumentError(error instanceof Error ? error.message : String(error))
  }
}

function wholeNumber(name: string, text: unknown): number {
  if (typeof text !== 'string' || !/^[0-9]{1,10}$/.test(text))
    throw new ArgumentError(`--${name} takes a whole number.`)
  return Number(text)
}
