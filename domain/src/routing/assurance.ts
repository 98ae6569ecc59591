/** What the provider of wallet B has verified, as one word for routing rules. Chapter 40 §12.4. */
export const assurances = ['both', 'cardholder', 'account', 'none'] as const
export type WalletAssurance = (typeof assurances)[number]

/** Null when the token has no assurance data. */
export function assuranceOf(
  told: { readonly cardHolderAuthenticated: boolean; readonly accountVerified: boolean } | null | undefined,
): WalletAssurance | null {
  if (!told) return null
  if (told.cardHolderAuthenticated) return told.accountVerified ? 'both' : 'cardholder'
  return told.accountVerified ? 'account' : 'none'
}
