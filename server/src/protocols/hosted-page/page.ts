/** GET /auth/{token}: the hosted page, or the merchant's own form in its place. Chapter 30 §7, §9.4. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wallets } from '#domain/mid.ts'
import type { SessionStanding } from '../../operations/session-standing.ts'
import { isPlainHttp, rendered, standingHeaders } from '../page/page.ts'
import { invalidPage } from '../page/pages.ts'
import { speechFor } from '../page/texts.ts'
import { formPage } from './custom-form.ts'
import { embeddersOf } from './offered-method.ts'
import { languageFor } from './page-session.ts'
import type { HostedPageParts, WalletScript } from './parts.ts'
import { placeOf } from './place.ts'
import { policyHeaders } from './policy.ts'
import { standingNamed } from './session-caller.ts'
import { shellHtml } from './shell.ts'
import { pageTexts } from './texts.ts'
import { buttonAt } from './wallet-button.ts'

export async function showPage(
  parts: HostedPageParts,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const standing = await standingNamed(parts, token)
  if (standing?.session.kind !== 'page') return badLink(parts, request, reply)
  const form = await formPage(parts, standing)
  if (form) return reply.headers(form.headers).send(form.body)
  const scripts = await makerScripts(parts, standing, request)
  const language = languageFor(standing)
  const { title } = pageTexts(language.code)
  const { mapping, merchant, session } = standing
  const branding = await parts.brandings.find(merchant.id)
  const body = shellHtml(
    {
      language,
      title: `${title} · ${merchant.title}`,
      pinned: mapping.pinScripts,
      test: session.test,
      template: branding?.template,
    },
    parts.files,
  )
  const headers = policyHeaders({
    scripts: scripts.map(({ url }) => url),
    hosts: scripts.map(({ url }) => new URL(url).origin),
    embedders: embeddersOf(mapping),
    plainHttp: isPlainHttp(parts.publicUrl()),
    trustedTypes: scripts.length === 0,
  })
  return reply.headers(headers).header('content-language', language.tag).send(body)
}

/** Only of wallets that are on offer here, and not where the sandbox's browser stands in. */
async function makerScripts(
  parts: HostedPageParts,
  standing: SessionStanding,
  request: FastifyRequest,
): Promise<readonly WalletScript[]> {
  const { methods } = await parts.operations.sessions.offer(standing.merchant, standing.session)
  const offered = wallets.filter((wallet) => methods.some(({ code }) => code === wallet))
  const place = placeOf(request, parts.publicUrl())
  const found = await Promise.all(offered.map((wallet) => buttonAt(parts, standing, wallet, place)))
  return found.flatMap((one) =>
    'button' in one && !one.button.sandbox ? [parts.walletScripts[one.button.wallet]] : [],
  )
}

export function badLink(
  { publicUrl }: Pick<HostedPageParts, 'publicUrl'>,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const page = rendered(invalidPage(speechFor(headers['accept-language'])))
  return reply
    .code(404)
    .headers(standingHeaders(isPlainHttp(publicUrl())))
    .headers(page.headers)
    .send(page.body)
}
