/** Seals the credentials in a request's callback address before the payment is written. */
import type { Merchant } from '#domain/merchant.ts'
import type { Deps } from '../request/deps.ts'

export async function withSealedAddress<
  Request extends { readonly merchant: Merchant; readonly callbackUrl: string | null },
>({ callbackAddresses }: Pick<Deps, 'callbackAddresses'>, request: Request): Promise<Request> {
  if (request.callbackUrl === null) return request
  return { ...request, callbackUrl: await callbackAddresses.seal(request.merchant.id, request.callbackUrl) }
}
