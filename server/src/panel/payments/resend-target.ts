/** Where a callback goes: to the address that its payment was created with, or to the merchant's address of today. */
import type { AddressField, Merchant } from '#domain/merchant.ts'
import type { MerchantAddress } from '../../store/callbacks/callback-address.ts'
import { type AdminRefused, invalid } from '../admin-refused.ts'

export const resendTargets = ['original', 'current'] as const
export type ResendTarget = (typeof resendTargets)[number]

type Addressed = Pick<Merchant, AddressField> | null

/** Null: each callback keeps its own address. */
export function addressFor(merchant: Addressed, target: ResendTarget): MerchantAddress | null {
  if (target === 'original') return null
  if (!hasAddress(merchant, target)) throw noAddress()
  const live = merchant?.notificationUrl ?? null
  return { live, test: merchant?.testNotificationUrl ?? live }
}

export const hasAddress = (merchant: Addressed, target: ResendTarget): boolean =>
  target === 'original' || (merchant?.notificationUrl ?? merchant?.testNotificationUrl ?? null) !== null

export const noAddress = (): AdminRefused => invalid('target', 'The merchant has no notification address.')
