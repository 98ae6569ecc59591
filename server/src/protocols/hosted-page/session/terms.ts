/** Which methods show the Terms & Conditions box. Chapter 30 §7.4. */
import { hasTermsCheckbox } from '#domain/brand/brand.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { OfferedMethod } from '../../../payments/sessions/offer.ts'

/** Never for wallets, crypto, methods with their own form, and custom forms. */
export function asksTerms(
  { terms }: Pick<ProtocolMapping, 'terms'>,
  { kind, brand }: Pick<OfferedMethod, 'kind' | 'brand'>,
  formId: string | null,
): boolean {
  if (!terms.enabled || formId !== null || kind === 'wallet') return false
  return brand === null || hasTermsCheckbox(brand)
}
