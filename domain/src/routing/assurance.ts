/** The verifications by the provider of wallet B, as one word for routing rules. Chapter 40 §12.4. */
export const assurances = ['both', 'cardholder', 'account', 'none'] as const
export type WalletAssurance = (typeof assurances)[number]

/** Null when the token has no assurance data. */
export function assuranceOf(
  assurance: { readonly cardHolderAuthenticated: boolean; readonly accountVerified: boolean } | null | undefined,
): WalletAssurance | null {
  if (!assurance) return null
  if (assurance.cardHolderAuthenticated) return assurance.accountVerified ? 'both' : 'cardholder'
  return assurance.accountVerified ? 'account' : 'none'
}
