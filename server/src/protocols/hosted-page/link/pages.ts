/** The pages of a payment link, which work without scripts. */
import type { PaymentLinkRecord } from '../../../contracts/session-records.ts'
import { fillMarkup, html } from '../../payer-pages/html.ts'
import type { Page } from '../../payer-pages/page.ts'
import type { Wording } from '../../payer-pages/texts.ts'
import { page as textsByLanguage } from './texts-generated.ts'

const textsOf = ({ language }: Wording) => textsByLanguage[language.code]

interface LinkOffer {
  readonly link: PaymentLinkRecord
  readonly merchant: string
  /** Null if the payer chooses the amount. */
  readonly amount: string | null
  /** Where the form leads in the end. */
  readonly leadsTo: string
  readonly fault?: { readonly of: 'wrongAmount' | 'refused' | 'tooMany'; readonly typed: string }
}

export function offerPage(wording: Wording, { link, merchant, amount, leadsTo, fault }: LinkOffer): Page {
  const texts = textsOf(wording)
  const message = fault ? html`<p class="fault" role="alert" id="fault">${texts[fault.of]}</p>` : ''
  const test = link.mode === 'test' ? html`<p><bdi>${texts.testPayment}</bdi> ${texts.testHint}</p>` : ''
  const field = html`<label for="amount">${texts.amount} (${link.currency})</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="31" value="${fault?.typed ?? ''}"${fault ? html` aria-invalid="true" aria-describedby="fault"` : ''}>
${message}<button class="button">${texts.payOpen}</button>`
  const fixed = html`${message}<button class="button">${fillMarkup(texts.pay, { amount: `${amount} ${link.currency}` })}</button>`
  const content = html`<h1>${fillMarkup(texts.title, { merchant })}</h1>
${test}<p>${link.description}</p>
<form method="post">
${amount === null ? field : fixed}
</form>`
  const status = fault ? { wrongAmount: 422, refused: 409, tooMany: 429 }[fault.of] : 200
  return { status, wording, title: texts.title.replace('{merchant}', merchant), content, leadsTo }
}

/** Where a payer arrives after paying, or by opening a link that is paid. */
export function paidPage(wording: Wording, kind: 'now' | 'before'): Page {
  const texts = textsOf(wording)
  const [title, message] =
    kind === 'now' ? [texts.successTitle, texts.canClose] : [texts.completeTitle, texts.completeMessage]
  return { status: 200, wording, title, content: html`<h1>${title}</h1>\n<p>${message}</p>` }
}
