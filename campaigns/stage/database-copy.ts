/** Copies the stage's database and restores it: a backup and a restore, as far as the gateway can tell. */
import { openPool } from '#server/store/database/pool.ts'
import type { Stage } from './stage.ts'

type StageDatabase = Pick<Stage, 'database'>

/** The gateway must be stopped; other connections are closed. */
export const takeCopy = (stage: StageDatabase): Promise<void> =>
  onServer(stage, async (run, name) => {
    await run(cutOff(name))
    await run(`create database ${name}_copy template ${name}`)
  })

export const replaceByCopy = (stage: StageDatabase): Promise<void> =>
  onServer(stage, async (run, name) => {
    await run(`drop database ${name} with (force)`)
    await run(`alter database ${name}_copy rename to ${name}`)
  })

const cutOff = (name: string): string =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`

async function onServer(
  { database }: StageDatabase,
  work: (run: (text: string) => Promise<void>, name: string) => Promise<void>,
): Promise<void> {
  // By text: the address of a socket has an empty host, which the URL class does not accept.
  const path = /\/(\w+)(?=\?|$)/
  const name = path.exec(database.url)?.[1] ?? ''
  const pool = openPool(database.url.replace(path, '/template1'), {
    max: 1,
    applicationName: 'gatehouse campaign',
  })
  try {
    await work(async (text) => void (await pool.query(text)), name)
  } finally {
    await pool.end()
  }
}
