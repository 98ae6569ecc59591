/** A file with one scenario or a list of them, in force from the start. */
import { readFile } from 'node:fs/promises'
import { readScenario, type Scenarios } from './scenario.ts'

export async function loadScenarios(path: string, scenarios: Scenarios): Promise<void> {
  const content: unknown = JSON.parse(await readFile(path, 'utf8'))
  for (const value of Array.isArray(content) ? content : [content]) {
    const scenario = readScenario(value)
    if (typeof scenario === 'string') throw new Error(`${path}: ${scenario}`)
    scenarios.set(scenario)
  }
}
