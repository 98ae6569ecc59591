/** A payment link: an address that a merchant shares, and where payers pay a fixed or a chosen amount. Chapter 70 §8. */

export const linkUses = ['single', 'many'] as const
/** `single`: at most one successful payment. */
export type LinkUses = (typeof linkUses)[number]

/** The most values of a link's metadata, and the longest name and value. */
export const linkMetadata = { members: 20, name: 64, value: 500 } as const

export type LinkState = 'open' | 'paid' | 'expired' | 'cancelled'

interface LinkFacts {
  readonly uses: LinkUses
  readonly isCancelled: boolean
  readonly expiresAt: Date | null
  /** Successful payments so far. */
  readonly paid: number
}

/** A payment that succeeded wins over everything: its payer must not be told that the link has expired. */
export function linkState({ uses, isCancelled, expiresAt, paid }: LinkFacts, now: Date): LinkState {
  if (uses === 'single' && paid > 0) return 'paid'
  if (isCancelled) return 'cancelled'
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'open'
}

/** An amount as a payer types it, with a point or a comma before the decimals; null if it is none. */
export function readTypedAmount(typed: string): string | null {
  const [, whole = '', fraction] = /^([0-9]{1,12})(?:[.,]([0-9]{1,18}))?$/.exec(typed.trim()) ?? []
  if (whole === '') return null
  const digits = whole.replace(/^0+(?=[0-9])/, '')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}
