/**
 * What a token says of its card outside the signature, for people to read: the wallet's name of the card and its network.
 *
 * Anybody on the way can have written these texts, so that they are short, printable and never hold anything that could be a
 * card number; otherwise there is none.
 */
import type { Wallet } from '#domain/mid.ts'
import { isStorable } from '#domain/storable-text.ts'
import { isMembers, type JsonMembers, type JsonValue, member, strictJsonObject } from './strict-json.ts'

interface UnsignedLabels {
  readonly displayName: string | null
  readonly networkLabel: string | null
}

export function unsignedLabels(wallet: Wallet, text: string): UnsignedLabels {
  const token = strictJsonObject(text) ?? {}
  if (wallet === 'walletapay') {
    const method = objectAt(token, 'paymentMethod')
    return { displayName: label(member(method, 'displayName')), networkLabel: label(member(method, 'network')) }
  }
  const method = objectAt(token, 'paymentMethodData')
  const network = member(objectAt(method, 'info'), 'cardNetwork')
  return { displayName: label(member(method, 'description')), networkLabel: label(network) }
}

const longest = 64

/** A number of a card has twelve digits at least, whatever stands between them. */
const mostDigits = 11

function label(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string' || value.length === 0 || value.length > longest) return null
  if (!isStorable(value)) return null
  const digits = value.match(/\p{Nd}/gu)?.length ?? 0
  return digits > mostDigits || /\p{Cc}/u.test(value) ? null : value
}

function objectAt(object: JsonMembers, name: string): JsonMembers {
  const value = member(object, name)
  return isMembers(value) ? value : {}
}
