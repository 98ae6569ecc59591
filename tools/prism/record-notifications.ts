/** Writes what the package reads in the signed samples of notifications, so that it is tested without the package. */
import { writeFile } from 'node:fs/promises'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import { readSample, sampleReports } from './notification-trial.ts'

const file = new URL('../../server/src/connectors/prism/notifications/recorded.json', import.meta.url)

export async function recordNotifications(helper: Transformer): Promise<void> {
  const recorded = []
  for (const sample of sampleReports()) {
    let answer: unknown = null
    await readSample(sample, {
      ...helper,
      readEvent: async (call) => {
        const result = await helper.readEvent(call)
        answer = result.kind === 'done' ? result.value : null
        return result
      },
    })
    recorded.push({ ...sample, answer })
  }
  await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`)
}
