/** The panel in a real browser: a whole shop, signed-in users, and checks of every page in both themes and widths. */
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Rights } from '#server/panel/access/users.ts'
import { buildWeb } from '../../../tools/build-web.ts'
import { isFullRun } from '../../../tools/testing/full-run.ts'
import { openBrowser, violationsOn } from '../pages/chromium.ts'
import { openShop, type Shop } from '../shop.ts'
import { makeUser, PanelClient, type Person } from './admin.ts'
import { brokenWords } from './broken-words.ts'

export interface Seat {
  readonly person: Person
  readonly page: Page
  /** The same user without a browser, to arrange and to look up. */
  readonly client: PanelClient
  /** Opens a page of the panel, and waits until it has loaded. */
  open(path: string): Promise<void>
}

export interface PanelScene {
  readonly shop: Shop
  readonly browser: Browser
  /** A signed-in user, whose browser has this locale. */
  seat(rights?: Partial<Rights>, locale?: string): Promise<Seat>
  /** A browser without a signed-in user. */
  visitor(): Promise<Page>
  close(): Promise<void>
}

const desktop = { width: 1280, height: 900 }
export const phone = { width: 360, height: 740 }

/** `settings` are those of the instance, as for `openShop`. */
export async function panelScene(settings: Readonly<Record<string, string>> = {}): Promise<PanelScene> {
  await buildWeb()
  const shop = await openShop(settings, [
    'back office',
    'chargebacks',
    'retention',
    'session-codes',
    'account watch',
    'wallet',
  ])
  const browser = await openBrowser()
  const faults: string[] = []
  const contexts: BrowserContext[] = []
  const context = async (locale = 'en-GB'): Promise<BrowserContext> => {
    const browserContext = await browser.newContext({
      viewport: desktop,
      locale,
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    })
    contexts.push(browserContext)
    return browserContext
  }
  const watched = (page: Page): Page => {
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
    // A 4xx answer is logged there as well, which is no fault of the page.
    page.on('console', (line) => {
      if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) faults.push(line.text())
    })
    return page
  }
  return {
    shop,
    browser,
    visitor: async () => watched(await (await context()).newPage()),
    seat: async (rights = {}, locale) => {
      const person = await makeUser(shop, rights)
      const client = new PanelClient(shop.url)
      assert.equal((await client.signIn(person)).http, 200)
      const own = await context(locale)
      const [name = '', value = ''] = client.cookie.split('=')
      await own.addCookies([{ name, value, url: `${shop.url}/admin` }])
      const page = watched(await own.newPage())
      return { person, page, client, open: (path) => openPage(page, `${shop.url}/admin${path}`) }
    },
    close: async () => {
      await Promise.all(contexts.map((one) => one.close()))
      await browser.close()
      await shop[Symbol.asyncDispose]()
      assert.deepEqual(faults, [], 'The browser complained.')
    },
  }
}

async function openPage(page: Page, url: string): Promise<void> {
  await followTo(page, url)
  await page.locator('h1').waitFor()
  await waitUntilLoaded(page)
}

/** Opens an address of the panel, and does not wait until it has loaded. */
export async function followTo(page: Page, url: string): Promise<void> {
  if (!(await hasFollowed(page, url))) await page.goto(url)
}

/**
 * Follows an address as a link of the panel does, which takes a fraction of loading the panel again; false where only loading leads there.
 */
async function hasFollowed(page: Page, url: string): Promise<boolean> {
  const isOpen = page.url().startsWith(new URL('/admin', url).href)
  if (!isOpen || new URL(page.url()).pathname === new URL(url).pathname) return false
  await page.evaluate(`new Promise((resolve) => {
    document.querySelector('h1')?.remove()
    history.pushState({ at: 1 }, '', ${JSON.stringify(url)})
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })`)
  return true
}

/** Waits until nothing is loading any more. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('.skeleton, .skeleton-line, [aria-busy=true]').first().waitFor({ state: 'detached' })
}

const shots = process.env['SCREENSHOTS']

type Combination = (size: string, colorScheme: string) => boolean

interface AccessibilityCheck {
  readonly isToBeChecked: Combination
  /** As for `violationsOn`. */
  readonly look: 'whole' | 'structure'
  readonly parts: readonly string[]
}

/**
 * The accessibility checker takes most of a second, and contrast and sizes of targets, which come from parts that pages share, most of that.
 * A page is checked on a desktop in light or on a phone in dark, three of four pages without contrast and sizes, and the navigation, which is
 * the same around all of them, with every eighth. Its name decides, so that a page is always checked alike. In a full run, as before a
 * release, everything is checked in all four combinations.
 */
const checkOf = (name: string): AccessibilityCheck => ({
  isToBeChecked: sumOf(name) % 2 === 0 ? isBrightest : isStrictest,
  look: isFullRun || sumOf(name) % 8 < 2 ? 'whole' : 'structure',
  parts: isFullRun || sumOf(name) % 16 < 2 ? ['html'] : ['main', 'dialog[open]'],
})

const sumOf = (name: string): number => Array.from(name).reduce((sum, letter) => sum + letter.charCodeAt(0), 0)

const isBrightest: Combination = (size, colorScheme) => isFullRun || (size === 'desktop' && colorScheme === 'light')

const isStrictest: Combination = (size, colorScheme) => isFullRun || (size === 'phone' && colorScheme === 'dark')

/**
 * For a dialog or another state of a page that was already checked: that it fits both widths, and in a full run also its
 * accessibility.
 */
export async function checkState(page: Page, name: string): Promise<void> {
  await checkPage(page, name, { isToBeChecked: () => isFullRun, look: 'whole', parts: ['html'] })
}

/**
 * Checks the page in its current state: no accessibility violations, no sideways scrolling and no broken words in both widths. With SCREENSHOTS set to a
 * folder, the screenshots are stored there under `name`.
 */
export async function checkPage(
  page: Page,
  name: string,
  { isToBeChecked, look, parts }: AccessibilityCheck = checkOf(name),
): Promise<void> {
  for (const [size, viewport] of [['desktop', desktop] as const, ['phone', phone] as const]) {
    if (page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      if (shots === undefined && !isToBeChecked(size, colorScheme)) continue
      await page.emulateMedia({ colorScheme })
      // An element half under the bar at the top would count as too small to be pressed.
      await page.evaluate('scrollTo(0, 0)')
      if (shots !== undefined) {
        await mkdir(shots, { recursive: true })
        await page.screenshot({ path: join(shots, `${name}-${size}-${colorScheme}.png`), fullPage: true })
      }
      if (isToBeChecked(size, colorScheme))
        assert.deepEqual(await violationsOn(page, look, parts), [], `${name}, ${size}, ${colorScheme}`)
      if (colorScheme === 'dark') await page.emulateMedia({ colorScheme: 'light' })
    }
    const { overflow, broken } = await readFit(page)
    assert.ok(overflow <= 0, `${name} is ${overflow} px too wide for a ${size}.`)
    assert.deepEqual(broken, [], `${name} breaks words in its tables on a ${size}.`)
  }
  await page.setViewportSize(desktop)
}

interface Fit {
  /** Pixels by which the page is wider than its window. */
  readonly overflow: number
  readonly broken: readonly string[]
}

/** A dialog scrolls by itself, so the document does not show that it is too wide. */
const readFit = (page: Page): Promise<Fit> =>
  page.evaluate<Fit>(`({
    overflow: Math.max(...[document.documentElement, ...document.querySelectorAll('dialog[open]')]
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)),
    broken: ${brokenWords},
  })`)
