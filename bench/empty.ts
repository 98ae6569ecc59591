/** The cost of an empty form endpoint with the same body and the same size of answer. */
import { join } from 'node:path'
import { Program } from '../campaigns/stage/program.ts'
import { closedLoop } from './load.ts'
import { cpuSeconds } from './processes.ts'
import { saleBodies } from './sale.ts'
import type { Scene } from './scene.ts'

const warmUpSeconds = 1

/** Milliseconds of CPU time per request. */
export async function runEmpty(scene: Scene): Promise<number> {
  const { stage, terms, answerBytes } = scene
  const program = new Program({
    name: 'empty form',
    script: ['bench/empty-form.ts', String(answerBytes)],
    env: {},
    logFile: join(stage.folder, 'empty-form.log'),
    ready: /ready: (http:\S+)/,
  })
  await program.start()
  try {
    const loadOptions = {
      url: program.url,
      path: '/post',
      connections: terms.connections,
      body: saleBodies(scene.stage.merchant),
      expects: 'SUCCESS',
    }
    await closedLoop({ ...loadOptions, seconds: warmUpSeconds })
    const before = cpuSeconds(program.pid)
    const { requests } = await closedLoop({ ...loadOptions, seconds: terms.seconds })
    return ((cpuSeconds(program.pid) - before) / requests) * 1000
  } finally {
    await program.kill()
  }
}
