/** GET /terms: the platform's general terms, for merchants without their own. Chapter 30 §7.4. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../payer-pages/html.ts'
import { commonHeaders, isPlainHttp, renderPage } from '../payer-pages/page.ts'
import { wordingFor, wordingOf } from '../payer-pages/texts.ts'
import type { HostedPageParts } from './parts.ts'
import { queryOf } from './query.ts'
import { pageTexts } from './texts.ts'

export function showTerms(
  { publicUrl }: Pick<HostedPageParts, 'publicUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const wanted = queryOf(request).get('language')
  const wording = wanted === null ? wordingFor(request.headers['accept-language']) : wordingOf(wanted)
  const { termsTitle, termsText } = pageTexts(wording.language.code)
  const content = html`<h1>${termsTitle}</h1>
<p>${termsText}</p>`
  const page = renderPage({ status: 200, wording, title: termsTitle, content })
  return reply
    .headers(commonHeaders(isPlainHttp(publicUrl())))
    .headers(page.headers)
    .send(page.body)
}
