/** Creates Checkout sessions and finds their payment methods. Chapter 30 §3.1, §3.5, §3.8. */
import { errors, type Refusal, violations } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import { refuseDuplicate } from '../attempt/duplicate-order.ts'
import { findUnusableRefusal, listCheckoutCards, type SavedCard } from '../methods/saved-card.ts'
import type { Deps } from '../request/deps.ts'
import { type Offer, type OfferedSession, offer } from './offer.ts'

interface SessionAsk extends Pick<SessionRecord, 'kind' | 'operation' | 'request'> {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly mapping: ProtocolMapping
  readonly minutes: number
}

export interface SessionOperations {
  /** Refused when no method could be offered: such a session is not created. */
  open(ask: SessionAsk): Promise<SessionRecord>
  offer(merchant: Merchant, session: OfferedSession): Promise<Offer>
  /** The session's saved cards in their order; tokens that name no card of the merchant are left out. */
  listSavedCards(
    merchant: Merchant,
    session: Pick<SessionRecord, 'mode' | 'operation' | 'request'>,
  ): Promise<readonly SavedCard[]>
  /** Why no token can be used; null if one can, or if there are no tokens. */
  findUnusable(merchant: Merchant, mode: Mode, tokens: readonly string[]): Promise<Refusal | null>
}

export function sessionOperations(deps: Deps): SessionOperations {
  return {
    open: (ask) => open(deps, ask),
    offer: (merchant, session) => offer(deps, merchant, session),
    listSavedCards: async (merchant, { mode, operation, request }) =>
      operation === 'transfer' ? [] : listCheckoutCards(deps, merchant, mode, request.cardTokens),
    findUnusable: (merchant, mode, tokens) => findUnusableRefusal(deps, merchant, mode, tokens),
  }
}

async function open(deps: Deps, { merchant, mode, mapping, minutes, ...asked }: SessionAsk): Promise<SessionRecord> {
  const { operation, request } = asked
  if (operation === 'credit' && !mapping.payouts) throw new RefusedError(errors.payoutsOff)
  await refuseDuplicate(deps, { mapping, merchant, mode, order: { id: request.order.number } })
  const now = deps.clock.now()
  const session: SessionRecord = {
    ...asked,
    merchantId: merchant.id,
    id: deps.ids.next(),
    version: 1,
    mode,
    firstPayment: deps.ids.next(),
    attempts: 0,
    fieldsSealed: null,
    collection: null,
    isCollectionComplete: false,
    expiresAt: new Date(now.getTime() + minutes * 60_000),
    createdAt: now,
  }
  refuseUnpayable(session, await offer(deps, merchant, session))
  const unusable = operation === 'credit' ? await findUnusableRefusal(deps, merchant, mode, request.cardTokens) : null
  if (unusable) throw new RefusedError(unusable)
  await deps.sessions.add(session)
  return session
}

/** If no MID of the channel serves any of the methods, the channel is the fault. Chapter 30 §3.5. */
const notServed: readonly Refusal[] = [errors.methodNotSupported, errors.brandNotSupported, errors.walletNotSupported]

function refuseUnpayable({ request }: SessionRecord, { refusal, leftOut }: Offer): void {
  if (!refusal) return
  const ofChannel = request.channel !== null && request.methods.length > 0
  if (ofChannel && leftOut.every((one) => notServed.includes(one.refusal)))
    throw invalid({ param: 'channel_id', text: violations.notCorrect })
  throw new RefusedError(refusal)
}
