/**
 * Our name of a card that is stored at Adyen: its shopper reference, which is the payment that stored it, and its own id. Adyen wants both when
 * the card is used.
 */

export const storedReference = (shopperReference: string, storedPaymentMethodId: string): string =>
  `${shopperReference}/${storedPaymentMethodId}`

export function readStoredReference(reference: string | null) {
  const { shopperReference, storedPaymentMethodId } =
    /^(?<shopperReference>[^/]+)\/(?<storedPaymentMethodId>[^/]+)$/.exec(reference ?? '')?.groups ?? {}
  return shopperReference && storedPaymentMethodId ? { shopperReference, storedPaymentMethodId } : null
}
