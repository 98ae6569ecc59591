/**
 * Browser tabs that are reused from test to test. A new one costs a second of CPU time, because its process compiles everything again; a
 * reused one costs a quarter of that. An opened tab is empty: no page, cookies, listeners or routes. Other storage of pages and additions
 * of a test remain, so a test with such pages, scripts or functions needs its own context.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export interface Tabs {
  /** A tab that no other test uses until `clear`. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** For `afterEach`: takes back every tab, and closes everything else that was opened. */
  clear(): Promise<void>
}

interface Tab {
  readonly kind: string
  readonly context: BrowserContext
  readonly page: Page
  readonly colorScheme: 'dark' | 'light' | 'no-preference'
}

const idleMax = 3
const waitMs = 10_000
const clearWithinMs = 5_000
const listenedEvents = [
  'console',
  'dialog',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
]

/** With `hurries`, the hosted page leads back to the shop at once, and not after the seconds in which a payer reads its last message. */
export function tabsOf(browser: Browser, { hurries = false }: { readonly hurries?: boolean } = {}): Tabs {
  const used: Tab[] = []
  const idle: Tab[] = []
  return {
    open: async (options = {}) => {
      const kind = JSON.stringify(options)
      const at = idle.findIndex((tab) => tab.kind === kind)
      const tab = idle.splice(at, at < 0 ? 0 : 1)[0] ?? (await openTab(browser, { options, kind, hurries }))
      used.push(tab)
      return tab.page
    },
    clear: async () => {
      const back = used.splice(0)
      const ours = new Set([...back, ...idle].map(({ context }) => context))
      const others = browser.contexts().filter((context) => !ours.has(context))
      await Promise.all(others.map((context) => context.close()))
      idle.unshift(...(await Promise.all(back.map(emptyTab))).filter((tab) => tab !== null))
      await Promise.all(idle.splice(idleMax).map(({ context }) => context.close()))
    },
  }
}

interface NewTab {
  readonly options: BrowserContextOptions
  readonly kind: string
  readonly hurries: boolean
}

/** The page departs after three seconds, or five if the payment failed. */
const hurry = `{
  const later = setTimeout
  globalThis.setTimeout = (act, ms, ...rest) => later(act, ms === 3000 || ms === 5000 ? 50 : ms, ...rest)
}`

async function openTab(browser: Browser, { options, kind, hurries }: NewTab): Promise<Tab> {
  const context = await browser.newContext(options)
  if (hurries) await context.addInitScript(hurry)
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  return { kind, context, page, colorScheme: options.colorScheme ?? 'light' }
}

/** Null for a tab that cannot be emptied: it hangs, or the test closed it. */
async function emptyTab(tab: Tab): Promise<Tab | null> {
  const { context, page, colorScheme } = tab
  try {
    for (const event of listenedEvents) page.removeAllListeners(event)
    const others = context.pages().filter((one) => one !== page)
    await Promise.all(others.map((one) => one.close()))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto('about:blank', { timeout: clearWithinMs })
    await page.emulateMedia({ colorScheme })
    await context.clearCookies()
    return tab
  } catch {
    await context.close()
    return null
  }
}
