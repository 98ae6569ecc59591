/**
 * The pages that payers see on S2S payments: the return from the issuer or another page, the collector, and the form of memory storage.
 * Chapter 10 §8.
 *
 * Every address contains a one-time key, the visitor's only credential: there is no cookie and no session. The page is shown before the
 * visit counts, and a visit counts once, so that reloading, going back and pressing twice do no harm.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { knowsBrowser, mergeBrowserFacts } from '#domain/browser.ts'
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { isStorable } from '#domain/storable-text.ts'
import { isUuid } from '#domain/uuid.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { noteRequest } from '../../observe/requests.ts'
import { issueParam } from '../../payments/exchange/return-url.ts'
import type { Operations } from '../../payments/index.ts'
import { readForm } from '../kit/bodies/form.ts'
import { errorBody } from '../kit/error-body.ts'
import { refusedBy } from '../kit/form-routes.ts'
import { broughtFields, browserOf, isFramed, navigates, takesPages, wasCollected } from './browser.ts'
import { commonHeaders, isPlainHttp, type Page, renderPage } from './page.ts'
import {
  collectorPage,
  continuePage,
  donePage,
  faultPage,
  formPage,
  framePage,
  frameReturnPage,
  invalidPage,
} from './pages.ts'
import { type ReturnParts, returnAddress, returnWindow, windowFor } from './return-address.ts'
import { wordingFor, wordingOf } from './texts.ts'

export interface PayerPagesParts extends ReturnParts {
  /** The return address of a payment made on a Checkout session; null when unknown. */
  readonly prepareCheckoutReturn?: (payment: PaymentRecord) => Promise<WayBack | null>
  /** Called once for the payment whose step the payer's return has ended. */
  readonly onReturn?: (payment: PaymentRecord) => Promise<void>
  /** The address under which browsers reach this service. */
  readonly publicUrl: () => string
  readonly operations: Pick<Operations, 'findPayerStep' | 'handleVisit' | 'takeForm' | 'facts'>
}

interface WayBack {
  readonly url: string
  readonly target: string
  /** The payer can go on with the payment there. */
  readonly leadsToPage?: boolean
  /** The session is paid on the hosted page, which may have shown the issuer's page in a frame. */
  readonly isPaidOnPage?: boolean
}

type Fields = Readonly<Record<string, string>>
type Purpose = Parameters<Operations['handleVisit']>[0]['purpose']
type AddressRequest = FastifyRequest<{ Params: { id: string; key: string } }>

// biome-ignore format: a table is read in columns.
const visitPaths: readonly (readonly [path: string, purpose: Purpose])[] = [
  // address                      who comes there
  [ '/verify/3ds/:id/:key',      '3ds'       ],
  [ '/verify/redirect/:id/:key', 'redirect'  ],
  [ '/collector/:id/:key',       'collector' ],
]

export const payerPages =
  (parts: PayerPagesParts) =>
  async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.request.bodyBytes }, (_, body, done) =>
      done(null, body),
    )
    app.setErrorHandler(refuse)
    app.addHook('onRequest', async (request, reply) => {
      noteRequest(request, { protocol: 'page' })
      reply.headers(commonHeaders(isPlainHttp(parts.publicUrl())))
    })
    for (const [url, purpose] of visitPaths) {
      app.route<{ Params: { id: string; key: string } }>({
        method: ['GET', 'POST'],
        url,
        exposeHeadRoute: false,
        handler: (request, reply) => receive(parts, purpose, request, reply),
      })
    }
    app.get<{ Params: { id: string; key: string } }>(
      '/redirect/:id/:key',
      { exposeHeadRoute: false },
      (request, reply) => giveForm(parts, request, reply),
    )
  }

async function receive(
  parts: PayerPagesParts,
  purpose: Purpose,
  request: AddressRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const at = paymentAddressOf(request)
  const { payment, waits } = await parts.operations.findPayerStep({ ...at, purpose })
  noteRequest(request, { transId: payment.id })
  const fields = fieldsOf(request)
  if (waits && shouldCollect(request, purpose, payment, fields)) {
    const leadsTo = payment.facts.termUrl ?? null
    return show(reply, collectorPage(wordingOf(payment.language), broughtFields(fields), leadsTo))
  }
  const known = isSeen(payment) && !wasCollected(fields)
  const browser = known ? null : mergeBrowserFacts(browserOf(request.headers, fields), payment.facts.browser)
  const led = await parts.operations.handleVisit({ ...at, purpose, fields: broughtFields(fields), browser })
  if (waits) await parts.onReturn?.(led.payment)
  if (led.to === 'form') return show(reply, formPage(wordingOf(led.payment.language), led.step))
  return leave(parts, led.payment, request, reply)
}

/** Memory storage: each address shows the form once, within its lifetime. Chapter 10 §8.2, chapter 30 §6.3. */
async function giveForm(parts: PayerPagesParts, request: AddressRequest, reply: FastifyReply): Promise<FastifyReply> {
  const at = paymentAddressOf(request)
  const { payment, step, waits } = await parts.operations.takeForm({ ...at, issue: issueOf(request) })
  noteRequest(request, { transId: payment.id })
  if (step) return show(reply, (isForFrame(request) ? framePage : formPage)(wordingOf(payment.language), step))
  // The key is valid and the payment is finished: handled as at the other addresses (chapter 10 §8.3).
  if (!waits) return leave(parts, payment, request, reply)
  if (!takesPages(request.headers)) throw new RefusedError(errors.notIn3ds)
  const back = await findWayBack(parts, payment, isFramed(request.headers))
  // The hosted page offers the next address of the form.
  if (back?.leadsToPage) return reply.code(303).header('location', back.url).send()
  return show(reply, invalidPage(wordingOf(payment.language), back))
}

/** The hosted page adds it to show the form in a frame. */
const isForFrame = ({ url }: FastifyRequest): boolean => new URL(url, 'http://any').searchParams.get('frame') === '1'

/** An unreadable number fits no key. */
const issueOf = ({ url }: FastifyRequest): number => {
  const sent = new URL(url, 'http://any').searchParams.get(issueParam) ?? '0'
  return /^[0-9]{1,6}$/.test(sent) ? Number(sent) : -1
}

/** The collector page gathers all attributes of a browser once; for other clients only the headers count. */
function shouldCollect({ headers }: FastifyRequest, purpose: Purpose, payment: PaymentRecord, fields: Fields): boolean {
  if (isSeen(payment) || wasCollected(fields)) return false
  // The collector's address always shows its page, even to a browser too old to report how it navigates.
  return purpose === 'collector' ? takesPages(headers) : navigates(headers)
}

/** On Checkout the merchant may have sent some attributes already; the rest is still collected. Chapter 30 §8.4. */
const isSeen = ({ protocol, facts: { browser } }: PaymentRecord): boolean =>
  protocol === 'CHECKOUT' ? knowsBrowser(browser) : browser !== undefined

/** Back to the merchant: at once if the window may navigate by itself, else by a button. Chapter 10 §8.4. */
async function leave(
  parts: PayerPagesParts,
  payment: PaymentRecord,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const back = await findWayBack(parts, payment, isFramed(headers))
  if (back === null) return show(reply, donePage(wordingOf(payment.language)))

  const { url, target } = back
  if (target === '_self' && back.isPaidOnPage && isFramed(headers) && takesPages(headers))
    return show(reply, frameReturnPage(wordingOf(payment.language), url))
  if (target === '_self' || !takesPages(headers)) return reply.code(303).header('location', url).send()
  const merchant = parts.operations.facts({ payment }).merchant.title || new URL(url).host
  return show(reply, continuePage(wordingOf(payment.language), { url, target, merchant }))
}

/** Null for a payment without a return address. */
async function findWayBack(parts: PayerPagesParts, payment: PaymentRecord, framed: boolean): Promise<WayBack | null> {
  if (payment.protocol === 'CHECKOUT' && parts.prepareCheckoutReturn) {
    const back = await parts.prepareCheckoutReturn(payment)
    return back && { ...back, target: windowFor(back.target, framed) }
  }
  const url = await returnAddress(parts, payment)
  return url === null ? null : { url, target: returnWindow(parts, payment, framed) }
}

function paymentAddressOf({ params: { id, key } }: AddressRequest): {
  readonly paymentId: string
  readonly key: string
} {
  if (!isUuid(id)) throw new RefusedError(errors.notIn3ds)
  return { paymentId: id, key }
}

/**
 * Query fields that cannot be stored are dropped, because acquirers append their own. A form field takes precedence over a query field of
 * the same name.
 */
function fieldsOf({ url, body, headers }: FastifyRequest): Fields {
  const sent = [...new URLSearchParams(url.split('?').slice(1).join('?'))]
  const query = Object.fromEntries(sent.filter((field) => field.every(isStorable)))
  if (!Buffer.isBuffer(body) || body.length === 0) return query
  const form = readForm(body, headers['content-type'])
  if (!form.ok) throw new RefusedError(form.fault === 'too-large' ? errors.requestTooLarge : errors.requestInvalid)
  const texts = Object.entries(form.tree).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return { ...query, ...Object.fromEntries(texts) }
}

function show(reply: FastifyReply, page: Page): FastifyReply {
  const { headers, body } = renderPage(page)
  return reply.code(page.status).headers(headers).send(body)
}

function refuse(error: FastifyError | RefusedError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = refusedBy(error)
  const { http } = refused.refusal
  if (http >= 500) request.log.error({ err: error }, 'A page failed.')
  noteRequest(request, { result: 'ERROR' })
  if (!takesPages(request.headers)) {
    return reply.code(http).header('content-type', 'application/json').send(errorBody(refused))
  }
  const wording = wordingFor(request.headers['accept-language'])
  return show(reply, http >= 500 ? faultPage(wording, http) : { ...invalidPage(wording), status: http })
}
