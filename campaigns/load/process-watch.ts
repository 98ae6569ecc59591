/** Whether the programs of a stage grow while something runs on it: each writes samples of itself, and they are compared at the end. */
import { join } from 'node:path'
import type { Figure } from '../campaign.ts'
import type { Program } from '../stage/program.ts'
import { askForSample, type Growth, growthOf, measuringFlags, samplesIn } from './soak-growth.ts'

export class ProcessWatch {
  readonly #files = new Map<string, string>()
  readonly #requests: number[] = []

  /** For `measuredBy` of the stage. */
  readonly flags = (name: string, folder: string): readonly string[] => {
    const file = join(folder, `${name}.samples`)
    this.#files.set(name, file)
    return measuringFlags(file)
  }

  /** `requests` sent so far, if a process may keep something of each. */
  async sample(programs: readonly Program[], requests = 0): Promise<void> {
    this.#requests.push(requests)
    for (const program of programs) await askForSample(program, this.#fileOf(program), this.#requests.length)
  }

  async growths(programs: readonly Program[], slackBytes: number): Promise<readonly Growth[]> {
    const terms = { slackBytes, requests: this.#requests }
    return await Promise.all(
      programs.map(async (program) => growthOf(program.name, await samplesIn(this.#fileOf(program)), terms)),
    )
  }

  #fileOf({ name }: Program): string {
    return this.#files.get(name) ?? ''
  }
}

export const growthFigures = (growths: readonly Growth[]): readonly Figure[] =>
  growths.flatMap(({ name, figures }) => figures.map(([what, value]) => ({ name: `${name}: ${what}`, value })))

export const growthFault = ({ name, figures }: Growth): string =>
  `${name}: ${figures.map((one) => one.join(' ')).join(', ')}`
