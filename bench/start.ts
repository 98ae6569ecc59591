/** From an empty folder to serving, and from a stop to serving again: everything in one process with the embedded database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program } from '../campaigns/stage/program.ts'

interface Starts {
  readonly firstSeconds: number
  readonly secondSeconds: number
}

export async function runStart(): Promise<Starts> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-start-'))
  const program = new Program({
    name: 'gateway',
    script: ['server/src/main.ts'],
    env: { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' },
    logFile: join(folder, 'gateway.log'),
    ready: /ready: (http:\S+)/,
    compilesAnew: true,
  })
  try {
    return { firstSeconds: await timeStart(program), secondSeconds: await timeStart(program) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function timeStart(program: Program): Promise<number> {
  const begun = performance.now()
  await program.start()
  const seconds = (performance.now() - begun) / 1000
  await program.stop()
  return seconds
}
