/** A recurring chain that can be charged. Chapter 10 §7.6, "Chain valid". */
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { Kind } from '#domain/payment/payment.ts'
import type { Need } from '#domain/routing/need.ts'
import type { ChainRecord, JsonObject, PaymentRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export interface Chain {
  readonly record: ChainRecord
  readonly first: PaymentRecord
}

export interface NamedChain {
  readonly merchantId: string
  readonly mode: Mode
  readonly firstPayment: string
  readonly token: string
  /** Absent if the request can charge chains of either kind. */
  readonly kind?: ChainRecord['kind']
}

/** Null if the merchant has no such chain in this mode, or the chain must not be charged any more. */
export async function findValidChain(deps: Deps, named: NamedChain): Promise<Chain | null> {
  const chain = await findChainByToken(deps, named.merchantId, named.token)
  if (!chain || chain.first.id !== named.firstPayment) return null
  if (named.kind !== undefined && chain.record.kind !== named.kind) return null
  if (chain.first.mode !== named.mode || chain.first.status === 'CHARGEBACK') return null
  return chain
}

/** A chain exists once its first payment has reached SETTLED or PENDING. */
export async function findChainByToken(deps: Deps, merchantId: string, token: string): Promise<Chain | null> {
  const record = await deps.chains.find(merchantId, token)
  const first = record && (await deps.payments.find(merchantId, record.firstPayment))
  return first ? { record, first } : null
}

/**
 * The requirements of a charge without the payer on a MID. The MID of the first payment goes first if it passes the filters. Chapter 50 §3.
 */
export function needOnChain(
  { mode, channel, currency, payer }: Pick<PaymentRecord, 'mode' | 'channel' | 'currency' | 'payer'>,
  charge: {
    readonly protocol: Protocol
    readonly kind: Kind
    readonly auth: boolean
    readonly network: string | null
    /** The first digits of the card, as many as are known. */
    readonly bin: string | null
    readonly customData: JsonObject | null
    readonly amountMinor: bigint
    readonly chainMidId: string | null
  },
): Need {
  const { network, bin, ...own } = charge
  return {
    ...own,
    mode,
    channelId: channel,
    currency,
    card: { network, bin, panType: null },
    recurring: 'charge',
    wallet: null,
    methods: [],
    brand: null,
    preferCardOnFile: false,
    initiator: 'merchant',
    payerCountry: payer['country'] ?? null,
    payerEmail: payer['email'] ?? null,
    payerPhone: payer['phone'] ?? null,
    motoType: null,
  }
}
