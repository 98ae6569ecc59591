/** A real browser for tests: the installed Chromium, or on Debian, with permission, one that is installed on demand. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Frame, type Page } from 'playwright-core'
import { isFullRun } from '../../../tools/testing/full-run.ts'
import { openFirefox } from './firefox.ts'

/** The headless shell first: the same engine, for a third of the work. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu', // Without a GPU, a separate process would only pass on pictures.
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One renderer for all pages of a file: a sixth less work. What a page may read of another is decided by origin, not by process.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
]

/** Tests of pages run in Firefox instead if GATEHOUSE_TEST_BROWSER says so. */
export const isFirefox = process.env['GATEHOUSE_TEST_BROWSER'] === 'firefox'

export function openBrowser(): Promise<Browser> {
  if (isFirefox) return openFirefox()
  const executablePath = findBrowser() ?? requireBrowser()
  const launch = () => chromium.launch({ executablePath, headless: true, args: flags })
  // On a busy machine Chromium has crashed before it did anything.
  return launch().catch(launch)
}

/**
 * The accessibility violations of a page, one line each. Dark mode changes only colours, so a page that was fully checked in light needs
 * only `colours` there; a state that consists of parts checked elsewhere needs only `structure`. `again` is for a page in a story that is
 * wholly checked in another test: its structure, and everything in a full run. With `parts`, selectors of which at least one matches, the
 * rest of the page is left out: contrast and sizes of targets take most of the time, and they are computed per element.
 */
export async function violationsOn(
  page: Page | Frame,
  look: Look | 'again' = 'whole',
  parts: readonly string[] = ['html'],
): Promise<readonly string[]> {
  // It judges the document and its styles, which are the same; Firefox refuses to evaluate a script of its size.
  if (isFirefox) return []
  // Evaluated rather than added as an element, because the page's policy allows no other scripts.
  if (!(await page.evaluate<boolean>('Boolean(globalThis.axe)'))) await page.evaluate(checker())
  return page.evaluate<readonly string[]>(
    `axe.run(${JSON.stringify({ include: parts.map((part) => [part]) })}, ${JSON.stringify(optionsOf(look === 'again' ? lookAgain : look))}).then(({ violations }) =>
       violations.map(({ id, help, nodes }) => id + ': ' + help + ' ' + nodes.map((node) => node.html).join(' ')))`,
  )
}

/** Selectors are not reported, and computing them takes a fifth of the time. */
const optionsOf = (look: Look) => ({
  runOnly: looks[look],
  ...(look === 'structure' && { rules: { 'color-contrast': { enabled: false }, 'target-size': { enabled: false } } }),
  resultTypes: ['violations'],
  selectors: false,
})

let checkerRead: string | null = null

/** The minified build, half as long as the module's own, because each page has to compile it. */
function checker(): string {
  checkerRead ??= readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  return checkerRead
}

const everyRule = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} as const

const looks = {
  whole: everyRule,
  structure: everyRule,
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const

type Look = keyof typeof looks

const lookAgain: Look = isFullRun ? 'whole' : 'structure'

function findBrowser(): string | null {
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

function requireBrowser(): string {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) install()
  const path = findBrowser()
  if (path !== null) return path
  throw new Error(
    'The tests in server/test/browser need Chromium. Install it, on Debian with "apt-get install chromium-headless-shell", and make sure that ' +
      `one of ${names.join(', ')} is on the PATH.`,
  )
}

/** Test files run concurrently, and only one of them may install. */
function install(): void {
  const [best = '', second = ''] = names
  const get = 'apt-get install -y --no-install-recommends'
  const steps = `command -v ${best} || command -v ${second} || { apt-get update && { ${get} ${best} || ${get} ${second}; }; }`
  try {
    execFileSync('flock', ['/tmp/gatehouse-chromium.lock', 'sh', '-c', steps], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  } catch {
    // The caller checks whether there is a browser now; the output of apt-get is above.
  }
}
