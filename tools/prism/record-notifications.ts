/** `node tools/prism/record-notifications.ts FOLDER`: writes what the package in FOLDER answers about the signed samples of notifications. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { keepHelper, patientLimits } from '#server/connectors/prism/transformer/keeper.ts'
import { planLaunch } from '#server/connectors/prism/transformer/launch.ts'
import { readOptions, runProgram, UsageError } from '../command-line.ts'
import { readSample, sampleReports } from './notification-trial.ts'

const usage = `Usage: node tools/prism/record-notifications.ts FOLDER

Records what the package in FOLDER reads in notifications of acquirers.`

const file = new URL('../../server/src/connectors/prism/notifications/recorded.json', import.meta.url)

if (import.meta.main) {
  process.exitCode = await runProgram(usage, async () => {
    const [folder] = readOptions({ allowPositionals: true }).positionals
    if (folder === undefined) throw new UsageError('Give the folder where the package is installed.')
    const plan = () => planLaunch({ folder: resolve(folder), loader: process.env.PRISM_LOADER ?? null })
    const helper = keepHelper(plan, patientLimits)
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
    helper.close()
    await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`)
    return 0
  })
}
