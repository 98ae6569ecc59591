/** GET /auth/{token}: the hosted page, or the merchant's own form in its place. Chapter 30 §7, §9.4. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wallets } from '#domain/mid.ts'
import type { WalletButton } from '../../contracts/ports.ts'
import type { SessionContext } from '../../payments/sessions/session-context.ts'
import { findsLoopbackNames, formUrl, isFormHost, isStrangersFormHost } from '../kit/form-host.ts'
import { commonHeaders, isPlainHttp, renderPage } from '../payer-pages/page.ts'
import { invalidPage } from '../payer-pages/pages.ts'
import { wordingFor } from '../payer-pages/texts.ts'
import { pageEmbedders } from './embedders.ts'
import type { ApprovedForm } from './form/approved-form.ts'
import { customFormPage, findShownForm } from './form/custom-form.ts'
import type { FormPolicy } from './form/form-policy.ts'
import { pageAddressOf } from './page-address.ts'
import type { HostedPageParts } from './parts.ts'
import { policyHeaders } from './policy.ts'
import { languageFor } from './session/page-session.ts'
import { findContext } from './session/session-caller.ts'
import { findButtonAt } from './session/wallet-button.ts'
import { shellHtml } from './shell.ts'
import { pageTexts } from './texts.ts'

export async function showPage(
  parts: HostedPageParts,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const context = await findContext(parts, token)
  if (context?.session.kind !== 'page') return badLink(parts, request, reply)
  const form = await findShownForm(parts, context)
  const elsewhere = otherHost(parts, context, form, request)
  if (elsewhere !== null) return reply.redirect(`${elsewhere}${request.url}`, 303)
  const buttons = await listOfferedButtons(parts, context, request)
  if (form) {
    const { headers, body } = customFormPage(parts, context, form, formPlace(parts, request, buttons))
    return reply.headers(headers).send(body)
  }
  // In the sandbox the simulator replaces the wallet provider's script.
  const scripts = buttons.filter(({ sandbox }) => !sandbox).map(({ wallet }) => parts.walletScripts[wallet])
  const language = languageFor(context)
  const { title } = pageTexts(language.code)
  const { mapping, merchant, session } = context
  const branding = await parts.brandings.find(merchant.id)
  const body = shellHtml(
    {
      language,
      title: `${title} · ${merchant.title}`,
      pinned: mapping.pinScripts,
      mode: session.mode,
      wallets: buttons.length,
      template: branding?.template,
    },
    parts.files,
  )
  const headers = policyHeaders({
    scripts: scripts.map(({ url }) => url),
    hosts: scripts.map(({ url }) => new URL(url).origin),
    embedders: pageEmbedders(context),
    // The issuer's page stands in a frame of our own, whose policy names the issuer. Wallets' scripts open frames of their own.
    ...(scripts.length === 0 && { frames: new URL(parts.publicUrl()).origin }),
    plainHttp: isPlainHttp(parts.publicUrl()),
    trustedTypes: scripts.length === 0,
  })
  return reply.headers(headers).header('content-language', language.tag).send(body)
}

/**
 * The host to redirect to: a form with an origin and the standard page never share one. Null if the payer is on the right host, or cannot
 * reach the form's host and gets the form without an origin.
 */
function otherHost(
  { formsDomain, formsDomainIsDefault, publicUrl, pageUrl }: HostedPageParts,
  { merchant, mapping }: SessionContext,
  form: ApprovedForm | null,
  request: FastifyRequest,
): string | null {
  if (formsDomain === null) return null
  if (form === null) return isFormHost(request, formsDomain) ? pageUrl(merchant, mapping) : null
  const isThere = isFormHost(request, formsDomain) && !isStrangersFormHost(request, merchant, formsDomain)
  if (isThere || (formsDomainIsDefault && !findsLoopbackNames(request))) return null
  return formUrl(merchant, formsDomain, publicUrl())
}

/** The SDK has no scan-code flow, so wallet A needs no script: the browser has its API built in. */
function formPlace(
  { formsDomain, publicUrl, walletScripts }: HostedPageParts,
  request: FastifyRequest,
  buttons: readonly WalletButton[],
): Pick<FormPolicy, 'origin' | 'wallets'> {
  const { origin } = new URL(pageAddressOf(request, publicUrl()).base)
  if (!isFormHost(request, formsDomain)) return { origin, wallets: null }
  const isLoaded = buttons.some(({ wallet, sandbox }) => wallet === 'walletbpay' && !sandbox)
  const simulator = buttons.some(({ sandbox }) => sandbox)
  return { origin, wallets: { scripts: isLoaded ? [walletScripts.walletbpay.url] : [], simulator } }
}

/** The buttons of the offered wallets at the page's address. */
async function listOfferedButtons(
  parts: HostedPageParts,
  context: SessionContext,
  request: FastifyRequest,
): Promise<readonly WalletButton[]> {
  const { methods } = await parts.operations.sessions.offer(context.merchant, context.session)
  const offered = wallets.filter((wallet) => methods.some(({ code }) => code === wallet))
  const pageAddress = pageAddressOf(request, parts.publicUrl())
  const found = await Promise.all(offered.map((wallet) => findButtonAt(parts, context, wallet, pageAddress)))
  return found.flatMap((one) => (one.kind === 'shown' ? [one.button] : []))
}

function badLink(
  { publicUrl }: Pick<HostedPageParts, 'publicUrl'>,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const page = renderPage(invalidPage(wordingFor(headers['accept-language'])))
  return reply
    .code(404)
    .headers(commonHeaders(isPlainHttp(publicUrl())))
    .headers(page.headers)
    .send(page.body)
}
