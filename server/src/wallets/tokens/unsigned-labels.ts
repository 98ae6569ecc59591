/**
 * The unsigned display texts of a token: the card's name and its network.
 *
 * They can be forged in transit, so they must be short, printable and free of anything that could be a card number; otherwise they are
 * ignored.
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

/** A card number has at least twelve digits, with anything in between. */
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
