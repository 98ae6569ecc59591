/**
 * The addresses to which a payer's browser returns, each with a key of 32 hexadecimal characters. Chapter 10 §8.
 *
 * Keys are derived from the payment with a secret of the vault: they need no storage, a repeated request has the same address, and
 * they cannot be guessed. The state of the payer step ensures that a key works once.
 */

import { secret } from '#domain/secret.ts'
import { hashMatches } from '#domain/signature/signature.ts'
import type { RowKey } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export type ReturnPurpose = '3ds' | 'redirect' | 'redirect-page' | 'collector'
type Parts = Pick<Deps, 'vault' | 'publicUrl'>

interface Address {
  readonly path: string
  /** Part of the text that the key is derived from; another one would invalidate addresses that payers are about to use. */
  readonly keyText: string
}

// biome-ignore format: a table is read in columns.
const addresses: Readonly<Record<ReturnPurpose, Address>> = {
  '3ds':           { path: '/verify/3ds',      keyText: '3ds' },
  'redirect':      { path: '/verify/redirect', keyText: 'redirect' },
  'redirect-page': { path: '/redirect',        keyText: 'storage' },
  'collector':     { path: '/collector',       keyText: 'collector' },
}

const urlOf =
  (purpose: ReturnPurpose) =>
  (deps: Parts, payment: RowKey): string =>
    `${deps.publicUrl()}${addresses[purpose].path}/${payment.id}/${keyOf(deps, purpose, payment)}`

export const threeDsReturnUrl = urlOf('3ds')
export const redirectReturnUrl = urlOf('redirect')
export const redirectPageUrl = urlOf('redirect-page')

/** The query parameter that counts the addresses of one form; the first address has none. */
export const issueParam = 'again'

/** The address of a form whose earlier addresses were used up. Each has a key of its own. */
export const nextRedirectPageUrl = (deps: Parts, payment: RowKey, issue: number): string =>
  issue === 0
    ? redirectPageUrl(deps, payment)
    : `${deps.publicUrl()}${addresses['redirect-page'].path}/${payment.id}/${keyOf(deps, 'redirect-page', payment, issue)}?${issueParam}=${issue}`
export const collectorUrl = urlOf('collector')

/**
 * The purpose `card` names the vault's key, not the content: the text begins with `return`, so that it never equals a card's fingerprint, and
 * another key would invalidate addresses that payers are about to use.
 *
 * Requires `vault.prepareScope` for the merchant; sealing a card or opening a secret has already called it.
 */
export function keyOf(
  { vault }: Pick<Deps, 'vault'>,
  purpose: ReturnPurpose,
  { merchantId, id }: RowKey,
  issue = 0,
): string {
  const text = `return ${addresses[purpose].keyText} ${id}${issue === 0 ? '' : ` ${issue}`}`
  return vault.fingerprint(merchantId, 'card', secret(text)).slice(0, 32)
}

interface PresentedKey {
  readonly purpose: ReturnPurpose
  readonly key: string
  readonly issue?: number
}

export async function isKeyValid(
  deps: Pick<Deps, 'vault'>,
  payment: RowKey,
  { purpose, key, issue = 0 }: PresentedKey,
): Promise<boolean> {
  await deps.vault.prepareScope(payment.merchantId)
  return hashMatches(key, keyOf(deps, purpose, payment, issue))
}
