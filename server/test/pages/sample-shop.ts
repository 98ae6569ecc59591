/** A sample shop of examples/, run as its README says, as a merchant of the test's gateway. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../hosts/free-port.ts'
import type { Shop } from '../shop.ts'

interface Sample {
  readonly program: string
  readonly args: (port: number) => readonly string[]
}

const folderOf = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))

export const samples = {
  typescript: { program: process.execPath, args: () => ['shop.ts'] },
  php: { program: 'php', args: (port) => ['-S', `127.0.0.1:${port}`, 'shop.php'] },
} as const satisfies Readonly<Record<string, Sample>>

export type SampleName = keyof typeof samples

/** False, or why the shop cannot run here. */
export function cannotRun(name: SampleName): string | false {
  if (name !== 'php') return false
  const { stdout } = spawnSync('php', ['-r', 'echo extension_loaded("curl");'], { encoding: 'utf8' })
  return stdout === '1' ? false : 'PHP 8 is not installed: apt-get install php-cli php-curl'
}

export interface SampleShop {
  readonly url: string
  stop(): Promise<void>
}

/** Callbacks of the demo merchant go to it from then on. */
export async function startSampleShop(shop: Shop, name: SampleName): Promise<SampleShop> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const data = await mkdtemp(join(tmpdir(), 'gatehouse-sample-shop-'))
  const { key, password } = shop.merchant()
  const { rows } = await shop.base.pool.query<{ id: string }>("select id from merchants where name = 'demo'")
  const { webhookSecrets } = await shop.service.configuration.readSecrets(rows[0]?.id ?? '')
  const { program, args } = samples[name]
  const child = spawn(program, args(port), {
    cwd: folderOf(name),
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      SHOP_FILE: join(data, 'orders.json'),
      GATEHOUSE_URL: shop.url,
      GATEHOUSE_KEY: key,
      GATEHOUSE_PASSWORD: password,
      GATEHOUSE_WEBHOOK_SECRET: webhookSecrets[0]?.reveal(),
    },
  })
  await waitUntilAnswering(child, url)
  await shop.configure("update merchants set notification_url = $1 where name = 'demo'", [`${url}/callbacks`])
  return {
    url,
    stop: async () => {
      child.kill()
      await rm(data, { recursive: true, force: true })
    },
  }
}

const startsWithinMs = 15_000

async function waitUntilAnswering(child: ChildProcess, url: string): Promise<void> {
  const ends = AbortSignal.timeout(startsWithinMs)
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (ends.aborted || child.exitCode !== null) throw new Error('The sample shop does not answer.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
