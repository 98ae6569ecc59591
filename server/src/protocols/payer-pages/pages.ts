/** The pages, one function each. Payers see most of them only for a moment, and every page works without scripts by its button. */
import { browserFields } from './browser.ts'
import { fillMarkup, type Html, html } from './html.ts'
import type { Page } from './page.ts'
import { collect, frameName, leaveFrame, submit, submitInFrame, tellWhenOpened } from './scripts.ts'
import type { Wording } from './texts.ts'

type Fields = Readonly<Record<string, string>>

interface Link {
  readonly url: string
  readonly target: string
}

/**
 * Gathers the browser attributes and posts them to the same address, together with the fields that were sent there. Chapter 10 §8.5.
 * Without scripts the button posts the same form, which then reports JavaScript as off.
 */
export function collectorPage(wording: Wording, carried: Fields, leadsTo: string | null): Page {
  const { waitTitle, waitMessage } = wording.texts
  const attributes = browserFields.map((name) => {
    const value = name === 'browser_javascript_enabled' ? 'false' : ''
    return html`<input type="hidden" id="${name}" name="${name}" value="${value}">\n`
  })
  const content = html`${busyMark}<h1>${waitTitle}</h1>
<p>${waitMessage}</p>
<form method="post">
${hiddenInputs(carried)}${attributes}${lateButton(wording)}
</form>`
  return { status: 200, wording, title: waitTitle, content, script: collect, leadsTo }
}

/** A form that submits itself to the issuer or to another page. Chapter 10 §8.1, steps 3 and 4. */
export function formPage(
  wording: Wording,
  form: { readonly url: string; readonly method: 'GET' | 'POST'; readonly params: Fields },
): Page {
  const { redirectTitle, redirectMessage } = wording.texts
  const { action, fields } = form.method === 'GET' ? withoutQuery(form) : { action: form.url, fields: form.params }
  const content = html`${busyMark}<h1>${redirectTitle}</h1>
<p>${redirectMessage}</p>
<form method="${form.method.toLowerCase()}" action="${action}">
${hiddenInputs(fields)}${lateButton(wording)}
</form>`
  return { status: 200, wording, title: redirectTitle, content, script: submit, leadsTo: form.url }
}

/** The issuer's page in a frame of the hosted page. The policy of this page names the issuer, which the hosted page did not know yet. */
export function framePage(
  wording: Wording,
  form: { readonly url: string; readonly method: 'GET' | 'POST'; readonly params: Fields },
): Page {
  const title = wording.texts.redirectTitle
  const { action, fields } = form.method === 'GET' ? withoutQuery(form) : { action: form.url, fields: form.params }
  const content = html`<form method="${form.method.toLowerCase()}" action="${action}" target="${frameName}">
${hiddenInputs(fields)}</form>
<iframe name="${frameName}" title="${title}"></iframe>`
  return {
    status: 200,
    wording,
    title,
    content,
    script: submitInFrame,
    frames: new URL(form.url).origin,
    leadsTo: form.url,
  }
}

/** Inside a frame: the hosted page takes over if the frame is its own; otherwise the payer goes on in the frame. */
export function frameReturnPage(wording: Wording, url: string): Page {
  const { waitTitle, waitMessage, continueButton } = wording.texts
  const content = html`${busyMark}<h1>${waitTitle}</h1>
<p>${waitMessage}</p>
<div class="late">${linkButton({ url, target: '_self' }, continueButton)}</div>`
  return { status: 200, wording, title: waitTitle, content, script: leaveFrame }
}

/** The payer must press a button, because browsers do not let a window leave its frame or open another one by itself. Chapter 10 §8.4. */
export function continuePage(wording: Wording, { merchant, ...link }: Link & { readonly merchant: string }): Page {
  const { continueTitle, continueMessage, continueButton, continued } = wording.texts
  const content = html`<h1>${continueTitle}</h1>
<p>${fillMarkup(continueMessage, { merchant })}</p>
${linkButton(link, continueButton)}
<p role="status" data-text="${continued}"></p>`
  return { status: 200, wording, title: continueTitle, content, script: tellWhenOpened }
}

/** The address is no longer valid. The page has a link back if the address belonged to a payment. */
export function invalidPage(wording: Wording, back: Link | null = null): Page {
  const { invalidTitle, invalidMessage, returnButton } = wording.texts
  const link = back === null ? '' : html`\n${linkButton(back, returnButton)}`
  return messagePage(400, wording, { title: invalidTitle, message: invalidMessage, link })
}

/** The payer has finished, and there is no return address. */
export const donePage = (wording: Wording): Page =>
  messagePage(200, wording, { title: wording.texts.doneTitle, message: wording.texts.doneMessage })

/** Reloading is safe: a visit counts once. */
export const faultPage = (wording: Wording, status: number): Page =>
  messagePage(status, wording, { title: wording.texts.faultTitle, message: wording.texts.faultMessage })

interface Message {
  readonly title: string
  readonly message: string
  readonly link?: Html | ''
}

const messagePage = (status: number, wording: Wording, { title, message, link = '' }: Message): Page => ({
  status,
  wording,
  title,
  content: html`<h1>${title}</h1>
<p>${message}</p>${link}`,
})

const linkButton = ({ url, target }: Link, text: string): Html =>
  html`<a class="button" href="${url}" target="${target}" rel="noopener">${text}</a>`

const busyMark = html`<div class="busy" aria-hidden="true"></div>
`

/** Appears only if the script has not navigated by then. */
const lateButton = ({ texts: { hint, continueButton } }: Wording): Html =>
  html`<div class="late"><p>${hint}</p>
<button class="button">${continueButton}</button></div>`

const hiddenInputs = (fields: Fields): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)

/** A GET form replaces the query of its address, so the query's fields become inputs. Chapter 10 §8.1, step 4. */
function withoutQuery({ url, params }: { readonly url: string; readonly params: Fields }) {
  const address = new URL(url)
  const fields = { ...Object.fromEntries(address.searchParams), ...params }
  address.search = ''
  return { action: address.href, fields }
}
