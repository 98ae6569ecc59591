/**
 * Notification addresses as an operator enters them: credentials are sealed, and a masked address that comes back unchanged keeps its
 * stored credentials.
 */
import { hasMask, maskedAddress, referenceIn } from '#domain/address/callback-address.ts'
import { type AddressField, addressFields, type Merchant } from '#domain/merchant.ts'
import { type CallbackCredentialContext, callbackAddresses } from '../store/callbacks/callback-credentials.ts'

type Addresses = Partial<Pick<Merchant, AddressField>>

export const maskedAddressRefusal = 'The user name and password are hidden. Enter the full address with both.'

/** The first address with a mask that differs from the stored one: hidden credentials must not be sent to another host. */
export const maskedElsewhere = (before: Addresses, wishes: Addresses): AddressField | null =>
  addressFields.find((field) => {
    const wish = wishes[field] ?? null
    return wish !== null && hasMask(wish) && !isAsShown(before[field], wish)
  }) ?? null

export async function sealAddresses<Wishes extends Addresses>(
  context: CallbackCredentialContext,
  merchantId: string,
  before: Addresses,
  wishes: Wishes,
): Promise<Wishes> {
  const store = callbackAddresses(context)
  const sealed: { -readonly [field in AddressField]?: string } = {}
  for (const field of addressFields) {
    const wish = wishes[field] ?? null
    if (wish === null) continue
    const stored = before[field] ?? null
    const unchangedAddress = stored !== null && isAsShown(stored, wish) ? stored : null
    sealed[field] =
      unchangedAddress !== null && referenceIn(unchangedAddress) !== null
        ? unchangedAddress
        : await store.seal(merchantId, unchangedAddress ?? wish)
  }
  return { ...wishes, ...sealed }
}

const isAsShown = (stored: string | null | undefined, wish: string): boolean =>
  stored !== null && stored !== undefined && hasMask(wish) && maskedAddress(stored) === wish
