/** What the maker of wallet B is sure of, in one word, as rules ask for it. Chapter 40 §12.4. */
export const assurances = ['both', 'cardholder', 'account', 'none'] as const
export type WalletAssurance = (typeof assurances)[number]

/** Null where the token says nothing about it. */
export function assuranceOf(
  told: { readonly cardHolderAuthenticated: boolean; readonly accountVerified: boolean } | null | undefined,
): WalletAssurance | null {
  if (!told) return null
  if (told.cardHolderAuthenticated) return told.accountVerified ? 'both' : 'cardholder'
  return told.accountVerified ? 'account' : 'none'
}
