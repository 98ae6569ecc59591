/** Leaves the form: automatically where allowed, otherwise by a press of the payer. Chapter 30 §6.3. */
import type { Redirect } from '../checkout/page-api.ts'
import { needsPress } from '../checkout/state/phase.ts'
import { textsIn } from './texts.ts'

const NOTICE_ID = 'gatehouse-continue'

/** If a link is needed, it is inserted after `beside`. */
export function depart(redirect: Redirect, language: string, beside: Element | null): void {
  if (!needsPress(redirect, window.self !== window.top)) {
    location.assign(redirect.url)
    return
  }
  document.getElementById(NOTICE_ID)?.remove()
  const { open, goOn } = textsIn(language)
  const notice = Object.assign(document.createElement('p'), { id: NOTICE_ID, role: 'status', textContent: `${goOn} ` })
  const link = Object.assign(document.createElement('a'), {
    href: redirect.url,
    target: '_blank',
    rel: 'noopener',
    textContent: open,
  })
  link.addEventListener('click', () => link.remove())
  notice.append(link)
  if (beside === null) document.body.append(notice)
  else beside.after(notice)
  link.focus()
}
