/** Draws the sheet of the virtual phone: narrow, usable by keyboard and touch, without external resources. */
import { hash } from 'node:crypto'
import { escapeHtml, headOf } from '../../kit/html.ts'
import type { Reply } from '../../kit/reply.ts'
import { LEAST_OS_VERSION } from './scan.ts'

export type Choice = readonly [value: string, title: string]

export interface Sheet {
  readonly code: string
  readonly rows: readonly Choice[]
  readonly cards: readonly Choice[]
  readonly numbers: readonly Choice[]
  readonly behaviours: readonly Choice[]
}

/** `complaint` is the fault of the last attempt. */
export function sheetPage(status: number, sheet: Sheet, complaint: string | null): Reply {
  const rows = sheet.rows.map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`,
  )
  const alert = complaint === null ? '' : `<p role="alert" class="complaint">${escapeHtml(complaint)}</p>`
  return page(
    status,
    'Confirm the payment',
    `<dl>
${rows.join('\n')}
</dl>
${alert}
<form method="post" id="sheet">
<input type="hidden" name="code" value="${escapeHtml(sheet.code)}">
${select('Card', 'card', sheet.cards)}
${select('Number', 'pan_type', sheet.numbers)}
<label for="os_version">OS version of the phone</label>
<input id="os_version" name="os_version" type="number" inputmode="numeric" min="1" max="99" value="${LEAST_OS_VERSION}" required aria-describedby="unsupported">
<p id="unsupported" role="status"></p>
${select('Behaviour', 'fault', sheet.behaviours)}
<button class="confirm" name="decision" value="confirm">Confirm</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</form>
<script>${script}</script>`,
  )
}

export function wordsPage(status: number, title: string, words: string): Reply {
  return page(status, title, `<p role="status">${escapeHtml(words)}</p>`)
}

function page(status: number, title: string, content: string): Reply {
  const body = `<!doctype html>
<html lang="en">
${headOf(`${title} · Sandbox phone`, `<style>${style}</style>`)}
<body>
<header class="sandbox">SANDBOX <span>no real money</span></header>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
  return { status, body, headers }
}

function select(label: string, name: string, choices: readonly Choice[]): string {
  const options = choices.map(([value, title]) => `<option value="${escapeHtml(value)}">${escapeHtml(title)}</option>`)
  return `<label for="${name}">${escapeHtml(label)}</label>\n<select id="${name}" name="${name}">\n${options.join('\n')}\n</select>`
}

/** Leaving the page without a decision cancels. */
const script = `
const form = document.getElementById('sheet')
const version = document.getElementById('os_version')
const look = () => {
  const supported = Number(version.value) >= ${LEAST_OS_VERSION}
  form.querySelector('.confirm').disabled = !supported
  document.getElementById('unsupported').textContent = supported ? '' : 'Not supported: OS ${LEAST_OS_VERSION} or later is required.'
}
version.addEventListener('input', look)
look()
let decided = false
form.addEventListener('submit', () => { decided = true })
addEventListener('pagehide', () => {
  if (!decided) navigator.sendBeacon(location.href, new URLSearchParams({ code: form.elements.code.value, decision: 'cancel' }))
})
`

const style = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --ground: #f1f3f6; --line: #8a919e; --quiet: #565d69; --accent: #1d5bb8; --on-accent: #fff; --mark: #7a4b00; --on-mark: #fff; --wrong: #a3161b }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ebee; --paper: #1e2126; --ground: #121417; --line: #767d89; --quiet: #aab1bc; --accent: #8ab4f8; --on-accent: #0e2240; --mark: #f0b955; --on-mark: #2a1a00; --wrong: #ff9a94 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
.sandbox { margin: 0; padding: .5rem 1rem; background: var(--mark); color: var(--on-mark); text-align: center; font-weight: 700; letter-spacing: .08em }
.sandbox span { font-weight: 400; letter-spacing: 0 }
main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem; background: var(--paper) }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25 }
dl { margin: 0 0 1rem }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line) }
dt { color: var(--quiet) }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
label { display: block; margin: .75rem 0 .25rem; color: var(--quiet) }
select, input[type=number] { width: 100%; min-height: 2.75rem; padding: .375rem .5rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--paper); color: var(--ink); font: inherit }
#unsupported { min-height: 1.5rem; margin: .25rem 0 0; color: var(--wrong) }
.complaint { color: var(--wrong); font-weight: 600 }
button { display: block; width: 100%; min-height: 2.75rem; margin: 1rem 0 0; padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .375rem; background: transparent; color: var(--accent); font: inherit; font-weight: 600; cursor: pointer }
button.confirm { margin-top: 1.5rem; background: var(--accent); color: var(--on-accent) }
button:disabled { opacity: .5; cursor: not-allowed }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (min-width: 30rem) { main { margin: 2rem auto; padding: 2rem; border-radius: .75rem } }
`

const sha256 = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

const headers = {
  'content-security-policy': `default-src 'none'; style-src ${sha256(style)}; script-src ${sha256(script)}; connect-src 'self'; form-action 'self'; base-uri 'none'`,
  'cache-control': 'no-store',
  // The address of the page contains the code.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const
