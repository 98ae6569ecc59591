/** Why a brand cannot be used for a payment, decided before routing. Chapter 20 §5.5, the second to fifth row of its table of refusals. */
import { errors, type Refusal } from '../errors.ts'
import type { Mode } from '../merchant.ts'
import { type Brand, type BrandAction, isTwoStage, takesCountry, takesCurrency } from './brand.ts'

export interface BrandUse {
  readonly action: BrandAction
  /** `auth=Y`, on actions that have it. */
  readonly auth: boolean
  readonly mode: Mode
  /** The instance is in sandbox mode. */
  readonly sandbox: boolean
  readonly currency: string
  /** Null when unknown. */
  readonly payerCountry: string | null
}

export function brandRefusal(brand: Brand | null, use: BrandUse): Refusal | null {
  if (!brand?.enabled) return errors.brandNotFound
  if (brand.testOnly && use.mode === 'live' && !use.sandbox) return errors.brandNotFound
  if (!brand.actions.includes(use.action) || (use.auth && !isTwoStage(brand))) return errors.actionNotSupported
  if (!takesCurrency(brand, use.currency)) return errors.currencyNotFound
  if (use.payerCountry !== null && !takesCountry(brand, use.payerCountry)) return errors.brandNotSupported
  return null
}
