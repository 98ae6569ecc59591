/**
 * Firefox for tests: the installed one, over WebDriver BiDi. Playwright's own build of Firefox is not needed; its channel `moz-firefox` speaks
 * the standard protocol with any recent release.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, firefox } from 'playwright-core'

const names = ['firefox-esr', 'firefox']

/** Why tests in Firefox are skipped; false if there is one. */
export const skipsFirefox = (): string | false =>
  findFirefox() === null ? 'Firefox is not installed; on Debian: apt-get install firefox-esr' : false

/** A cold start takes seconds, and on a busy machine much longer. */
const launchWithinMs = 180_000

export async function openFirefox(): Promise<Browser> {
  const executablePath = findFirefox() ?? ''
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, timeout: launchWithinMs })
  skipMediaFeatures(browser)
  return browser
}

const unknownCommand = 'emulation.setMediaFeaturesOverride'

/**
 * Playwright sets the colour scheme of every context by a command that Firefox does not have yet, and fails without it. There is no option to
 * leave it out, so the command is answered here.
 */
function skipMediaFeatures(browser: Browser): void {
  const connection: unknown = Reflect.get(browser, '_connection')
  const toServer: unknown = Reflect.get(Object(connection), 'toImpl')
  const server: unknown = typeof toServer === 'function' ? toServer.call(connection, browser) : null
  const session: unknown = Reflect.get(Object(server), '_browserSession')
  const shared: unknown = Object.getPrototypeOf(Object(session))
  const send: unknown = Reflect.get(Object(shared), 'send')
  if (typeof send !== 'function') throw new Error('This version of Playwright drives Firefox differently.')
  Reflect.set(Object(shared), 'send', function answerOrSend(this: unknown, method: string, params: unknown): unknown {
    return method === unknownCommand ? Promise.resolve({}) : send.call(this, method, params)
  })
}

function findFirefox(): string | null {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
