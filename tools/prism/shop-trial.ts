/**
 * The demo shop with the real package, in Chromium: a payer buys over `prism-nmi`, which answers at once, and over `prism-checkout`, which sends the
 * payer to its page. The instance is the real program with its stand-ins, as `npm start -- --acquirers prism-nmi,prism-checkout` starts it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { prismFolder } from '#server/connectors/prism/installation.ts'
import { testDatabase } from '../../server/test/database.ts'
import { openBrowser } from '../../server/test/pages/chromium.ts'
import { root } from '../tidy/source-files.ts'

interface ShopTrial {
  readonly folder: string
  readonly loader: string | null
  /** Where pictures of the pages are written; absent: nowhere. */
  readonly pictures?: string | undefined
}

const demoSchema = z.object({
  shop_url: z.string(),
  acquirers: z.array(z.object({ connector: z.string(), ledger_url: z.string() })),
})
type Demo = z.infer<typeof demoSchema>

/** What went wrong; nothing if both payments were made. */
export async function buyInShop({ folder, loader, pictures }: ShopTrial): Promise<readonly string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'prism-shop-'))
  const place = prismFolder({ dataDir })
  await mkdir(dirname(place), { recursive: true })
  await symlink(folder, place)
  const database = await testDatabase()
  const program = start({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...(loader !== null && { PRISM_LOADER: loader }),
  })
  try {
    const demo = await untilReady(program, dataDir)
    return [...(await buyOver(demo, 'prism-nmi', pictures)), ...(await buyOver(demo, 'prism-checkout', pictures))]
  } finally {
    if (program.exitCode === null) {
      program.kill('SIGTERM')
      await once(program, 'exit')
    }
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function start(settings: Readonly<Record<string, string>>): ChildProcess {
  const usual = { LOG_LEVEL: 'error', HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: 'none', SESSION_KEY_BITS: '2048' }
  return spawn(process.execPath, ['server/src/main.ts', '--acquirers', 'prism-nmi,prism-checkout'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...usual, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function untilReady(program: ChildProcess, dataDir: string): Promise<Demo> {
  let [output, errors] = ['', '']
  program.stderr?.setEncoding('utf8').on('data', (words: string) => {
    errors += words
  })
  await new Promise<void>((resolve, reject) => {
    program.once('exit', () => reject(new Error(`The instance did not start: ${errors}`)))
    program.stdout?.setEncoding('utf8').on('data', (words: string) => {
      output += words
      if (output.includes('Try a first payment')) resolve()
    })
  })
  return demoSchema.parse(JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')))
}

async function buyOver(demo: Demo, connector: string, pictures: string | undefined): Promise<readonly string[]> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const show = async (name: string): Promise<void> => {
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${connector}-${name}.png`) })
    }
    await page.goto(`${demo.shop_url}?acquirer=${connector}`)
    await show('shop')
    await page.getByRole('button', { name: /^Card Expiry/ }).click()
    await payThere(page)
    await show('page')
    if (connector === 'prism-checkout') await authenticate(page, show)
    await page.waitForURL((url) => url.pathname === '/shop/return')
    await page.getByText('Thank you').waitFor()
    await show('return')
    const entries = await readLedger(demo, connector)
    const isSettled = (await page.getByText('settled', { exact: true }).count()) === 1
    return isSettled && entries === 'sale 4990 executed'
      ? []
      : [`demo shop over ${connector}: settled ${isSettled}, the acquirer has "${entries}"`]
  } catch (fault) {
    return [`demo shop over ${connector}: ${String(fault)}`]
  } finally {
    await browser.close()
  }
}

async function payThere(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith('/auth/'))
  await page.getByLabel('Card number').fill('4111111111111111')
  await page.getByLabel('Expiry date').fill('01/38')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay/ }).click()
}

/** On the page of the acquirer. */
async function authenticate(page: Page, show: (name: string) => Promise<void>): Promise<void> {
  const approve = page.getByRole('button', { name: /approve/i })
  await approve.waitFor()
  await show('acquirer')
  await approve.click()
}

async function readLedger({ acquirers }: Demo, connector: string): Promise<string> {
  const url = acquirers.find((one) => one.connector === connector)?.ledger_url ?? ''
  const entries: readonly { kind: string; amount: string; state: string }[] = JSON.parse(
    await (await fetch(url)).text(),
  )
  return entries.map(({ kind, amount, state }) => `${kind} ${amount} ${state}`).join(', ')
}
