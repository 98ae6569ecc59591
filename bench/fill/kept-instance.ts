/** An instance whose folder is kept: its database, its keys, and what it was filled with. */
import { existsSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type EmbeddedServer, startEmbedded } from '#server/store/database/embedded.ts'
import { migrate } from '#server/store/database/migrate.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { openStage, type Stage } from '../../campaigns/stage/stage.ts'
import { historySchema } from './history.ts'

const keys = 'keys.json'

const stateSchema = z.object({
  history: historySchema,
  most: z.string(),
  mids: z.tuple([z.string(), z.string()]),
  /** The parts that get payments, from the oldest to the newest. */
  parts: z.array(z.object({ suffix: z.string(), from: z.coerce.date(), to: z.coerce.date() })),
  /** All parts are in place, though not every month has payments if the fill was stopped. */
  isReady: z.boolean(),
})

export type FillState = z.infer<typeof stateSchema>

const stateFile = (folder: string): string => join(folder, 'fill.json')

/** Null if the folder has not been prepared for a fill. */
export async function readState(folder: string): Promise<FillState | null> {
  if (!existsSync(stateFile(folder))) return null
  return stateSchema.parse(JSON.parse(await readFile(stateFile(folder), 'utf8')))
}

export const writeState = (folder: string, state: FillState): Promise<void> =>
  writeFile(stateFile(folder), `${JSON.stringify(state, null, 2)}\n`)

/** `quick`: without waiting for the disk, while it is filled. Otherwise as in production. */
export async function openKept(folder: string, quick: boolean): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir: join(folder, 'postgres'), disposable: quick })
  const pool = poolOf(server, 1)
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
  return server
}

export const poolOf = (server: EmbeddedServer, max: number): Pool =>
  openPool(server.url, { max, applicationName: 'gatehouse fill', statementTimeoutMs: 0 })

interface KeptStage {
  readonly folder: string
  readonly server: EmbeddedServer
  readonly pool: number
}

/** A gateway on it, with a new acquirer. The server runs on when the stage is closed. */
export async function openKeptStage({ folder, server, pool }: KeptStage): Promise<Stage> {
  const keyFile = join(folder, keys)
  const stage = await openStage({
    logLevel: 'info',
    databasePool: pool,
    openDatabase: () =>
      Promise.resolve({
        url: server.url,
        pid: () => server.pid,
        folder: join(folder, 'postgres'),
        close: () => Promise.resolve(),
      }),
    prepareFolder: async (own) => {
      if (existsSync(keyFile)) await copyFile(keyFile, join(own, keys))
    },
  })
  if (!existsSync(keyFile)) await copyFile(join(stage.folder, keys), keyFile)
  return stage
}
