/**
 * `node tools/prism/record.ts FOLDER`: plays the fixtures of the family `prism` against the package in FOLDER and writes what the helper was asked
 * and answered into them. The outcomes stay as they are: the test says whether the recording leads to them.
 */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { playExchange } from '#server/connectors/prism/testing/play.ts'
import { fixtureFolder, type RecordedStep, readFixtures } from '#server/connectors/prism/testing/recorded.ts'
import { keepHelper, patientLimits } from '#server/connectors/prism/transformer/keeper.ts'
import { planLaunch } from '#server/connectors/prism/transformer/launch.ts'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import { readOptions, runProgram, UsageError } from '../command-line.ts'
import { recordNotifications } from './record-notifications.ts'

const usage = `Usage: node tools/prism/record.ts FOLDER

Records the helper's part of the fixtures, and of notifications, with the package in FOLDER.`

const print = (...words: readonly unknown[]): void => {
  process.stdout.write(`${words.join(' ')}\n`)
}

if (import.meta.main) {
  process.exitCode = await runProgram(usage, async () => {
    const { positionals } = readOptions({ allowPositionals: true })
    const [folder] = positionals
    if (folder === undefined) throw new UsageError('Give the folder where the package is installed.')
    const helper = keepHelper(
      () => planLaunch({ folder: resolve(folder), loader: process.env.PRISM_LOADER ?? null }),
      patientLimits,
    )
    for (const [file, fixture] of await readFixtures()) {
      const exchanges = []
      for (const exchange of fixture.exchanges) {
        const recorded: RecordedStep[] = []
        const { outcome } = await playExchange(fixture, exchange, recording(helper, recorded))
        print(file, exchange.title, JSON.stringify(outcome))
        exchanges.push({ ...exchange, recorded })
      }
      await writeFile(new URL(file, fixtureFolder), `${JSON.stringify({ ...fixture, exchanges }, null, 2)}\n`)
    }
    await recordNotifications(helper)
    helper.close()
    return 0
  })
}

function recording(helper: Transformer, steps: RecordedStep[]): Transformer {
  return {
    ...helper,
    // One helper serves all exchanges, each of which closes its wires.
    close: () => undefined,
    build: async (call) => {
      const result = await helper.build(call)
      const { flow, request } = call
      if (result.kind === 'refused') steps.push({ task: 'build', flow, request, result })
      else {
        const { body, ...rest } = result.value
        steps.push({
          task: 'build',
          flow,
          request,
          result: { kind: 'done', value: { ...rest, text: body?.toString('utf8') ?? null } },
        })
      }
      return result
    },
    read: async (call, reply) => {
      const result = await helper.read(call, reply)
      steps.push({ task: 'read', flow: call.flow, request: call.request, result })
      return result
    },
  }
}
