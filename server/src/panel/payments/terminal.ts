/**
 * The virtual terminal: staff take a card payment by telephone or mail. The card is typed into frames of Hosted Payment Fields, so that its
 * data reaches neither the panel's script nor this API; the panel then charges the session. Chapter 70 §8.
 */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Mode } from '#domain/merchant.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { mayNumberOrder } from '#domain/uuid.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import { plainRequest } from '../../payments/sessions/plain-request.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

interface TerminalOrder {
  readonly merchantId: string
  readonly mode: Mode
  readonly motoType: 'phone_moto' | 'email_moto'
  /** Held and captured later, instead of charged at once. */
  readonly auth: boolean
  readonly amountMinor: bigint
  readonly currency: string
  readonly orderNumber: string | null
  readonly description: string
  readonly payer: TerminalPayer
}

interface TerminalPayer {
  readonly name: string
  readonly email?: string | undefined
  readonly address?: string | undefined
  readonly city?: string | undefined
  readonly zip?: string | undefined
  readonly country?: string | undefined
}

interface OpenedTerminal {
  readonly id: string
  /** The frames send the card with this token. It charges nothing. */
  readonly token: string
  /** Where the frames are served. */
  readonly fieldsUrl: string
  readonly orderNumber: string
  readonly decimals: number
  readonly expiresAt: Date
}

/** Long enough for a call, shorter than the security code is stored twice over. */
const sessionMinutes = 30

/** `origin` is the panel's own, as this browser knows it: no other page may embed the frames. */
export async function openTerminal(
  context: PanelContext,
  wish: TerminalOrder,
  origin: string,
): Promise<{ readonly terminal: OpenedTerminal; readonly audit: AuditNote }> {
  const { configuration, operations, ids, sessionTokens, publicUrl } = context
  const merchant = configuration.merchant(wish.merchantId)
  const mapping = configuration.mapping(wish.merchantId, 'CHECKOUT')
  if (merchant === null) throw notFound()
  if (mapping === null)
    throw new AdminRefused('conflict', { message: 'The merchant cannot use Checkout. Add the protocol mapping first.' })
  const decimals = requireSound(context, wish)
  if (wish.orderNumber !== null && !mayNumberOrder(wish.orderNumber, 'in'))
    throw invalid('orderNumber', violations.ownIdentifier)
  const orderNumber = wish.orderNumber ?? `MOTO-${ids.random(8)}`
  const { name, email, ...address } = wish.payer
  const { amountMinor, currency, description } = wish
  const amount = formatAmount(amountMinor, currency, decimals)
  const session = await operations.sessions.open({
    merchant,
    mapping,
    mode: wish.mode,
    kind: 'terminal',
    operation: 'purchase',
    request: {
      ...plainRequest({ number: orderNumber, amount, currency, description }),
      urls: { success: null, cancel: `${origin}/admin/terminal`, expiry: null, error: null, return: null },
      auth: wish.auth,
      motoType: wish.motoType,
      customer: textsOf({ name, email }),
      billingAddress: textsOf(address),
    },
    minutes: sessionMinutes,
  })
  const token = await sessionTokens.issue(session)
  const { id, expiresAt } = session
  const { mode, motoType, auth } = wish
  return {
    terminal: { id, token, fieldsUrl: publicUrl(), orderNumber, decimals, expiresAt },
    audit: {
      action: 'terminal.open',
      subject: `terminal ${id}`,
      merchantId: merchant.id,
      after: { mode, motoType, auth, amount, currency, orderNumber, description },
    },
  }
}

/** The decimals of the currency. */
function requireSound({ configuration }: PanelContext, wish: TerminalOrder): number {
  const decimals = exponentOf(wish.currency, configuration.cryptoCurrencies())
  if (decimals === undefined) throw invalid('currency', `${wish.currency} is not a currency.`)
  if (wish.amountMinor <= 0n) throw invalid('amountMinor', 'Enter an amount above zero.')
  const { orderDescriptionLow: least, orderDescription: most } = limits.length
  const { length } = Array.from(wish.description)
  if (length < least || length > most || /\p{Cc}/u.test(wish.description))
    throw invalid('description', `Enter a description of ${least} to ${most} characters.`)
  return decimals
}

/** Members without a text are left out. */
const textsOf = (members: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(members).flatMap(([name, text]) => (text ? [[name, text]] : [])))

export async function requireTerminal(
  { operations }: PanelContext,
  merchantId: string,
  terminalId: string,
): Promise<SessionRecord> {
  const session = await operations.payerSessions.find(terminalId)
  if (session?.kind !== 'terminal' || session.merchantId !== merchantId) throw notFound()
  return session
}
