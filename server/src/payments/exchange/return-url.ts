/**
 * The addresses to which a payer's browser returns, each with a key of 32 hexadecimal characters. Chapter 10 §8.
 *
 * Keys are derived from the payment with a secret of the vault: they need no storage, a repeated request has the same address, and
 * they cannot be guessed. The state of the payer step ensures that a key works once.
 */

import { secret } from '#domain/secret.ts'
import { hashMatches } from '#domain/signature/signature.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

type Purpose = '3ds' | 'redirect' | 'storage' | 'collector'
type PaymentKey = Pick<PaymentRecord, 'merchantId' | 'id'>
type Parts = Pick<Deps, 'vault' | 'publicUrl'>

const paths: Readonly<Record<Purpose, string>> = {
  '3ds': '/verify/3ds',
  redirect: '/verify/redirect',
  storage: '/redirect',
  collector: '/collector',
}

const urlOf =
  (purpose: Purpose) =>
  (deps: Parts, payment: PaymentKey): string =>
    `${deps.publicUrl()}${paths[purpose]}/${payment.id}/${keyOf(deps, purpose, payment)}`

export const threeDsReturnUrl = urlOf('3ds')
export const redirectReturnUrl = urlOf('redirect')
export const redirectPageUrl = urlOf('storage')
export const collectorUrl = urlOf('collector')

/**
 * The purpose `card` names the vault's key, not the content: the text begins with `return`, so that it never equals a card's fingerprint, and
 * another key would invalidate addresses that payers are about to use.
 *
 * Requires `vault.ready` for the merchant; sealing a card or opening a secret has already called it.
 */
export const keyOf = ({ vault }: Pick<Deps, 'vault'>, purpose: Purpose, { merchantId, id }: PaymentKey): string =>
  vault.fingerprint(merchantId, 'card', secret(`return ${purpose} ${id}`)).slice(0, 32)

export async function isKeyValid(
  deps: Pick<Deps, 'vault'>,
  purpose: Purpose,
  payment: PaymentKey,
  key: string,
): Promise<boolean> {
  await deps.vault.ready(payment.merchantId)
  return hashMatches(key, keyOf(deps, purpose, payment))
}
