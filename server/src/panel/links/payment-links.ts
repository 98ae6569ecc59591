/** Payment links: created, mailed and cancelled by the panel and the command line. Chapter 70 §8. */
import { type LinkState, type LinkUses, linkState } from '#domain/checkout/payment-link.ts'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Mode } from '#domain/merchant.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { mayNumberOrder } from '#domain/uuid.ts'
import type { JsonObject } from '../../contracts/json.ts'
import type { Clock, Configuration, Ids } from '../../contracts/ports.ts'
import type { PaymentLinkRecord } from '../../contracts/session-records.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { paymentLinkStore } from '../../store/sessions/payment-links.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Actor } from '../context.ts'

interface PaymentLinkContext {
  readonly pool: Queryable
  readonly clock: Clock
  readonly ids: Ids
  readonly configuration: Pick<Configuration, 'merchant' | 'mapping' | 'cryptoCurrencies'>
}

interface LinkWish {
  readonly merchantId: string
  readonly mode: Mode
  readonly amountMinor: bigint | null
  readonly currency: string
  readonly description: string
  readonly orderNumber: string | null
  readonly uses: LinkUses
  readonly language: string | null
  readonly metadata: JsonObject | null
  readonly expiresAt: Date | null
}

interface ShownLink extends PaymentLinkRecord {
  readonly state: LinkState
  readonly paid: number
  readonly decimals: number
}

/** Enough that a link is not found by trying. */
const codeBytes = 12

export async function createPaymentLink(
  context: PaymentLinkContext,
  actor: Actor,
  wish: LinkWish,
): Promise<{ readonly link: ShownLink; readonly audit: AuditNote }> {
  const { pool, clock, ids, configuration } = context
  const now = clock.now()
  requireSound(context, wish, now)
  const link: PaymentLinkRecord = {
    ...wish,
    id: ids.next(),
    code: ids.random(codeBytes),
    isCancelled: false,
    sessionId: null,
    createdBy: actor.label,
    createdAt: now,
  }
  await paymentLinkStore(pool).add(link)
  const shown = shownLink(link, 0, { now, crypto: configuration.cryptoCurrencies() })
  return { link: shown, audit: { ...noteOf('payment-link.create', link), after: auditedOf(link) } }
}

function requireSound({ configuration }: PaymentLinkContext, wish: LinkWish, now: Date): void {
  const { merchantId, currency, amountMinor, description, expiresAt, uses, orderNumber } = wish
  if (configuration.merchant(merchantId) === null) throw notFound()
  if (configuration.mapping(merchantId, 'CHECKOUT') === null)
    throw new AdminRefused('conflict', { message: 'The merchant cannot use Checkout. Add the protocol mapping first.' })
  if (exponentOf(currency, configuration.cryptoCurrencies()) === undefined)
    throw invalid('currency', `${currency} is not a currency.`)
  if (amountMinor !== null && amountMinor <= 0n) throw invalid('amountMinor', 'Enter an amount above zero.')
  const { orderDescriptionLow: least, orderDescription: most } = limits.length
  const { length } = Array.from(description)
  if (length < least || length > most || /\p{Cc}/u.test(description))
    throw invalid('description', `Enter a description of ${least} to ${most} characters.`)
  if (expiresAt !== null && expiresAt <= now) throw invalid('expiresAt', 'Enter a time in the future.')
  if (orderNumber !== null && uses === 'many')
    throw invalid('orderNumber', 'Only a link for a single payment can have an order number.')
  if (orderNumber !== null && !mayNumberOrder(orderNumber, 'in')) throw invalid('orderNumber', violations.ownIdentifier)
}

export async function listPaymentLinks(
  { pool, clock, configuration }: PaymentLinkContext,
  merchantIds: readonly string[] | null,
  before: string | null,
  limit: number,
): Promise<readonly ShownLink[]> {
  const store = paymentLinkStore(pool)
  const links = await store.list(merchantIds, before, limit)
  const paid = await store.readPaidCounts(links.map(({ id }) => id))
  const at = { now: clock.now(), crypto: configuration.cryptoCurrencies() }
  return links.map((link) => shownLink(link, paid.get(link.id) ?? 0, at))
}

const paymentsShown = 100

export async function readPaymentLink(context: PaymentLinkContext, merchantId: string, linkId: string) {
  const { pool, clock, configuration } = context
  const link = await requireLink(context, merchantId, linkId)
  const store = paymentLinkStore(pool)
  const at = { now: clock.now(), crypto: configuration.cryptoCurrencies() }
  return {
    ...shownLink(link, await store.countPaid(link), at),
    payments: await store.listPayments(link, paymentsShown),
  }
}

export async function cancelPaymentLink(
  context: PaymentLinkContext,
  merchantId: string,
  linkId: string,
): Promise<AuditNote> {
  const link = await requireLink(context, merchantId, linkId)
  if (!(await paymentLinkStore(context.pool).cancel(link, context.clock.now())))
    throw new AdminRefused('conflict', { message: 'The link is already cancelled.' })
  return { ...noteOf('payment-link.cancel', link), before: { isCancelled: false }, after: { isCancelled: true } }
}

export async function requireLink(
  { pool }: Pick<PaymentLinkContext, 'pool'>,
  merchantId: string,
  linkId: string,
): Promise<PaymentLinkRecord> {
  const link = await paymentLinkStore(pool).find(merchantId, linkId)
  if (link === null) throw notFound()
  return link
}

const shownLink = (
  link: PaymentLinkRecord,
  paid: number,
  { now, crypto }: { readonly now: Date; readonly crypto: Exponents },
): ShownLink => ({
  ...link,
  paid,
  state: linkState({ ...link, paid }, now),
  decimals: exponentOf(link.currency, crypto) ?? 2,
})

const noteOf = (action: string, { id, merchantId }: PaymentLinkRecord) => ({
  action,
  subject: `payment-link ${id}`,
  merchantId,
})

/** Without its code: a reader of the audit log must not be able to open the link. */
const auditedOf = ({ code: _code, amountMinor, ...link }: PaymentLinkRecord) => ({
  ...link,
  amountMinor: amountMinor === null ? null : String(amountMinor),
})

/** The amount of a link in words; empty if the payer chooses it. */
export const linkAmountText = ({ amountMinor, currency, decimals }: ShownLink): string =>
  amountMinor === null ? '' : `${formatAmount(amountMinor, currency, decimals)} ${currency}`
