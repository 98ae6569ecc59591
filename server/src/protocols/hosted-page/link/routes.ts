/**
 * GET /pay/{code}: what is to be paid, with a button. POST opens a Checkout session and leads to it: programs that open an address to preview
 * it, as chats do, create nothing. Chapter 70 §8.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { linkState, readTypedAmount } from '#domain/checkout/payment-link.ts'
import { amountSign, formatAmount, parseAmount } from '#domain/money/money.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { PaymentLinkRecord } from '../../../contracts/session-records.ts'
import { callerAddress, countedAddress } from '../../../network/ip-list.ts'
import { noteRequest } from '../../../observe/requests.ts'
import { commonHeaders, isPlainHttp, type Page, renderPage } from '../../payer-pages/page.ts'
import { invalidPage } from '../../payer-pages/pages.ts'
import { type Wording, wordingFor, wordingOf } from '../../payer-pages/texts.ts'
import { type LinkParts, type LinkVisit, openSessionOfLink } from './link-session.ts'
import { offerPage, paidPage } from './pages.ts'

type LinkRequest = FastifyRequest<{ Params: { code: string } }>

const bodyBytes = 4096
/** Sessions that one address may open at a merchant within an hour: enough for many payers behind one address. */
const openingsPerHour = 120

export const paymentLinkPages =
  (parts: LinkParts) =>
  async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytes }, (_, body, done) => done(null, body))
    app.addHook('onRequest', async (request, reply) => {
      noteRequest(request, { protocol: 'page', action: 'page' })
      reply.headers(commonHeaders(isPlainHttp(parts.publicUrl())))
    })
    app.get<{ Params: { code: string } }>('/pay/:code', { exposeHeadRoute: false }, async (request, reply) => {
      const found = await findLink(parts, request)
      return show(reply, found.kind === 'open' ? offer(found) : found.page)
    })
    app.post<{ Params: { code: string } }>('/pay/:code', (request, reply) => pay(parts, request, reply))
    app.get<{ Params: { code: string } }>('/pay/:code/paid', { exposeHeadRoute: false }, async (request, reply) => {
      const link = await parts.links.withCode(request.params.code)
      const wording = wordingIn(link, request)
      return show(reply, link === null ? notFound(wording) : paidPage(wording, 'now'))
    })
  }

interface OpenLink extends Omit<LinkVisit, 'amount'> {
  readonly kind: 'open'
  readonly wording: Wording
  /** Null if the payer chooses it. */
  readonly amount: string | null
}

type FoundLink = OpenLink | { readonly kind: 'ended'; readonly page: Page }

/** A link of a merchant who cannot take payments is answered like one that does not exist. */
async function findLink(parts: LinkParts, request: LinkRequest): Promise<FoundLink> {
  const { configuration, clock, links, pageUrl } = parts
  const link = await links.withCode(request.params.code)
  const wording = wordingIn(link, request)
  const merchant = link && configuration.merchant(link.merchantId)
  const mapping = link && configuration.mapping(link.merchantId, 'CHECKOUT')
  if (!link || !merchant || merchant.status === 'blocked' || !mapping) return { kind: 'ended', page: notFound(wording) }
  noteRequest(request, { merchantId: merchant.id })
  const state = linkState({ ...link, paid: await links.countPaid(link) }, clock.now())
  if (state === 'paid') return { kind: 'ended', page: paidPage(wording, 'before') }
  if (state !== 'open') return { kind: 'ended', page: { ...invalidPage(wording), status: 410 } }
  const { amountMinor, currency } = link
  const amount =
    amountMinor === null ? null : formatAmount(amountMinor, currency, undefined, configuration.cryptoCurrencies())
  const url = `${pageUrl(merchant, mapping)}/pay/${link.code}`
  return { kind: 'open', link, merchant, mapping, wording, amount, url, language: wording.language.code }
}

async function pay(parts: LinkParts, request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findLink(parts, request)
  if (found.kind !== 'open') return show(reply, found.page)
  const typed = typedIn(request)
  const amount = found.amount ?? soundAmount(parts, typed, found.link.currency)
  if (amount === null) return show(reply, offer(found, { of: 'wrongAmount', typed }))
  const address = `link:${countedAddress(callerAddress(request.raw, parts.trustedProxies))}`
  const opening = await parts.attempts.take({ merchantId: found.merchant.id, address }, openingsPerHour)
  if (!opening.allowed) return show(reply, offer(found, { of: 'tooMany', typed }))
  try {
    const session = await openSessionOfLink(parts, { ...found, amount })
    if (session === null) return show(reply, paidPage(found.wording, 'before'))
    const base = parts.pageUrl(found.merchant, found.mapping)
    return reply.redirect(`${base}/auth/${await parts.tokens.issue(session)}`, 303)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return show(reply, offer(found, { of: 'refused', typed }))
  }
}

type Fault = NonNullable<Parameters<typeof offerPage>[1]['fault']>

const offer = ({ wording, link, merchant, amount, url }: OpenLink, fault?: Fault): Page =>
  offerPage(wording, { link, merchant: merchant.title, amount, leadsTo: url, ...(fault ? { fault } : {}) })

function typedIn({ body }: LinkRequest): string {
  if (!Buffer.isBuffer(body)) return ''
  return (new URLSearchParams(body.toString('utf8')).get('amount') ?? '').slice(0, 31)
}

/** In the form of the interface; null if it is no amount of the currency above nothing. */
function soundAmount({ configuration }: LinkParts, typed: string, currency: string): string | null {
  const text = readTypedAmount(typed)
  const crypto = configuration.cryptoCurrencies()
  const read = text === null || amountSign(text) !== 'positive' ? null : parseAmount(text, currency, crypto)
  return read === null || typeof read === 'string' ? null : formatAmount(read.minor, currency, undefined, crypto)
}

const wordingIn = (link: PaymentLinkRecord | null, { headers }: LinkRequest): Wording =>
  link?.language ? wordingOf(link.language) : wordingFor(headers['accept-language'])

const notFound = (wording: Wording): Page => ({ ...invalidPage(wording), status: 404 })

function show(reply: FastifyReply, page: Page): FastifyReply {
  const { headers, body } = renderPage(page)
  return reply.code(page.status).headers(headers).send(body)
}
