/** The page at `/auth/{token}`: loads its texts and its session, renders, and clears all input when it is left. */
import { render } from 'preact'
import { languageOf } from '#domain/place/language.ts'
import { App } from './app.tsx'
import { applyBranding } from './branding.ts'
import { pageServer } from './call.ts'
import { lookForWallets } from './methods/look-for-wallets.ts'
import { startAtOnce } from './methods/start-at-once.ts'
import { previewServer } from './preview.ts'
import { refreshConfirmation } from './state/cancel.ts'
import { begin, pause, translate } from './state/checkout.ts'
import { session } from './state/session.ts'
import { language, loadLanguage, say, setTextAddresses } from './state/texts.ts'

async function start(root: HTMLElement): Promise<void> {
  const { preview } = root.dataset
  const server = preview ? previewServer(preview) : pageServer(window.location.pathname.split('/').pop() ?? '')
  setTextAddresses(JSON.parse(root.dataset['languages'] ?? '{}'))
  const wanted = languageOf(root.dataset['language'])
  // The form needs the texts and the session, so both are requested at once.
  const early = server.session(wanted)
  early.catch(() => undefined)
  await loadLanguage(wanted).catch(() => loadLanguage('en'))
  root.replaceChildren()
  root.removeAttribute('aria-busy')
  const outline = { test: root.dataset['test'] === 'true', wallets: Number(root.dataset['wallets'] ?? 0) }
  render(<App onLanguage={(code) => void switchLanguage(code)} outline={outline} />, root)

  window.addEventListener('pagehide', pause)
  window.addEventListener('focus', () => void refreshConfirmation())
  // A page restored from the back/forward cache shows an old state, so the session is read again.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void begin(server).then(showBranding)
  })
  await begin(server, language.value.code === wanted ? early : undefined)
  showBranding()
  await lookForWallets()
  await startAtOnce()
}

function showBranding(): void {
  const branding = session.value?.branding
  if (branding) applyBranding(branding)
  if (branding) document.title = say('title', { merchant: branding.merchant })
}

/** Lasts until the page is left. Chapter 30 §7.6. */
async function switchLanguage(code: string): Promise<void> {
  await loadLanguage(languageOf(code)).catch(() => undefined)
  showBranding()
  await translate()
}

const root = document.getElementById('checkout')
if (root) void start(root)
