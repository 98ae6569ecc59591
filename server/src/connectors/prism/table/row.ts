/** A row of the table of acquirers. `probed.json` is what the package does, found by `tools/prism/probe.ts`; `terms.ts` is what acquirers document. */
import type { Mode } from '#domain/merchant.ts'
import type { DeclineClass } from '#domain/payment/payment.ts'

/** What can be asked of an acquirer. Each is claimed because the package built the request of a sample. */
export const prismAbilities = [
  'sale',
  'authorize',
  'capture',
  'void',
  'refund',
  'get',
  'get-by-reference',
  'refund-get',
  'external-three-ds',
  'moto',
  // A device number with its cryptogram: in a form of its own for each wallet, or as a network token.
  'network-token',
  'wallet-a',
  'wallet-b',
  // A charge without the payer: with the card and the network's number of the first payment, or with what the acquirer stored then.
  'repeat-by-network',
  'repeat-by-mandate',
  'repeat-hold',
  // It stores a card only under an id of the payer, and takes ours.
  'stores-under-our-id',
] as const
export type PrismAbility = (typeof prismAbilities)[number]

/** What must be there before a charge is sent, in this order; all but our own id of the payer is fetched. None of it moves money. */
export const preparations = ['access-token', 'own-customer', 'customer', 'session', 'order', 'card-token'] as const
export type Preparation = (typeof preparations)[number]

/** Where the amount and the currency stand in the body of a request. */
export interface ReadBack {
  readonly amount: string
  readonly unit: 'minor' | 'decimal'
  readonly currency?: string | undefined
}

export interface CredentialField {
  /** The package's name of the field: `apiKey`. */
  readonly name: string
  /** A text of its own type in the package, which its logs hide. */
  readonly isSecret: boolean
  /** Where it stands in the package's configuration, if not at the top: `{currency}` is the MID's own. */
  readonly path?: readonly string[] | undefined
}

export interface ProbedRow {
  readonly fields: readonly CredentialField[]
  /** Origins, by the mode of the MID. None: the package has no address for it. */
  readonly hosts: Readonly<Record<Mode, readonly string[]>>
  readonly abilities: readonly PrismAbility[]
  readonly before: readonly Preparation[]
  /** Brands, in place of cards: what the payer pays with at an acquirer that takes no cards from us. */
  readonly methods?: readonly string[] | undefined
  /** Where the amount stands, by the ability whose request it is; `sale` stands for an authorisation too, unless that has its own. */
  readonly readBack: Readonly<
    Partial<Record<'sale' | 'authorize' | 'capture' | 'refund' | 'repeat', ReadBack | undefined>>
  >
}

/** What the acquirer's documentation says; all of it is absent where it says nothing. */
export interface AcquirerTerms {
  readonly title: string
  /**
   * The header under which the same request has one effect. It is relied on only for the time since its first use that the acquirer documents;
   * without such a time it is sent, and nothing is ever sent again.
   */
  readonly idempotency?: { readonly header: string; readonly validForHours?: number }
  /** It takes references of twelve characters only, which begin with four digits. */
  readonly shortReferences?: true
  /** It wants to be told where it reports with every charge. */
  readonly wantsReportAddress?: true
  /** It refuses a whole descriptor with cards, and takes a suffix to the account's own. */
  readonly takesDescriptorSuffix?: true
  /** It shows the name of the shop on its page. */
  readonly namesShop?: true
  /** It authenticates the payer on a page of its own, to which the package's answer sends the browser. */
  readonly redirects?: true
  /** What the package builds in a form that the acquirer does not document: it is not offered. */
  readonly withheld?: readonly PrismAbility[]
  /** Decline codes by what follows from them; all others are of unknown class, which counts as soft. */
  readonly declines?: Readonly<Partial<Record<Exclude<DeclineClass, 'unknown'>, readonly string[]>>>
  /** Addresses of the documentation, where the package has none or that of the other mode. */
  readonly addresses?: Partial<Readonly<Record<Mode, string>>>
}

export interface AcquirerRow extends ProbedRow, AcquirerTerms {
  /** The package's name of it. */
  readonly name: string
}
