/** The signature formulas, as docs/interface/signatures.md writes them, and the bytes that they sign. */
import { type Bytes, compareBytes, concat, hex, reverseBytes, upperCaseBytes, utf8 } from './bytes.ts'
import type { Tree } from './form.ts'
import { md5 } from './md5.ts'

export type Digest = 'md5' | 'sha256'
export type Values = Readonly<Record<string, string | undefined>>

type Part = string | { readonly step: 'rev' | 'up'; readonly parts: readonly Part[] }
const rev = (...parts: readonly Part[]): Part => ({ step: 'rev', parts })
const up = (...parts: readonly Part[]): Part => ({ step: 'up', parts })
const P = 'PASSWORD'

/** `apm.callback` covers every parameter and has no row. */
const formulas = {
  'card.start': [up(rev('email'), P, rev('pan10'))],
  'card.start-with-token': [up(rev('email'), P, rev('card_token'))],
  'card.follow-up': [up(rev('email'), P, 'trans_id', rev('pan10'))],
  'card.create-schedule': [up(rev(P))],
  'card.schedule': [up(rev('schedule_id', P))],
  'card.credit': [up(P, rev('pan10'))],
  'card.credit-with-token': [up(P, rev('card_token'))],
  'card.credit-follow-up': [up(P, 'trans_id', rev('pan10'))],
  'card.by-order': [up(rev('email'), P, 'order_id', rev('pan10'))],
  'card.wallet': [up(rev('email'), P)],
  'apm.start': [up(rev('identifier', 'order_id', 'order_amount', 'order_currency', P))],
  'apm.credit-void': [up(rev('trans_id', P))],
  'apm.follow-up': [up(rev('trans_id')), P],
  'apm.payout': [up(rev('order_id', 'order_amount', 'order_currency')), P],
  'apm.by-order': [up(rev('order_id')), P],
  'apm.payout-callback': [up(rev('trans_id', 'order_id', 'status')), P],
  'apm.crypto-callback': [up(rev('payer_email'), P, 'trans_id')],
  'checkout.session': [up('order.number', 'order.amount', 'order.currency', 'order.description', P)],
  'checkout.payment': [up('payment_id', P)],
  'checkout.order': [up('order_id', P)],
  'checkout.payment-amount': [up('payment_id', 'amount', P)],
  'checkout.recurring': [
    up('recurring_init_trans_id', 'recurring_token', 'order.number', 'order.amount', 'order.description', P),
  ],
  'checkout.card-credit': [up('order_id', 'order_amount', 'order_currency', 'order_description', P)],
  'checkout.callback': [up('id', 'order_number', 'order_amount', 'order_currency', 'order_description', P)],
} as const satisfies Readonly<Record<string, readonly Part[]>>

export type FormulaName = keyof typeof formulas | 'apm.callback'

interface Key {
  readonly password: string
  readonly digest: Digest
}

/** The hash in lower-case hexadecimal. `apm.callback` needs the tree of all parameters, every other formula its values. */
export async function hashOf(formula: FormulaName, values: Values | Tree, { password, digest }: Key): Promise<string> {
  if (password === '') throw new RangeError('The password is empty.')
  const base = formula === 'apm.callback' ? treeBase(values, password) : baseOf(formulas[formula], values, password)
  const inner = hex(await digestOf(digest, base))
  // The outer digest covers the hexadecimal text of the inner one.
  return formula.startsWith('checkout.') ? hex(await webDigest('SHA-1', utf8(inner))) : inner
}

function baseOf(parts: readonly Part[], values: Values | Tree, password: string): Bytes {
  return concat(
    parts.map((part) => {
      if (typeof part === 'object') {
        const inner = baseOf(part.parts, values, password)
        return part.step === 'rev' ? reverseBytes(inner) : upperCaseBytes(inner)
      }
      const value = part === P ? password : values[part]
      return utf8(typeof value === 'string' ? value : '')
    }),
  )
}

function treeBase(tree: Values | Tree, password: string): Bytes {
  const entries = Object.entries(tree).filter(([name]) => name !== 'hash')
  return upperCaseBytes(concat([...leaves(entries), utf8(password)]))
}

/** Whole numbers first and in their order, then all other names by their bytes. */
function leaves(entries: readonly (readonly [string, Tree | string | undefined])[]): readonly Bytes[] {
  return entries
    .toSorted(([a], [b]) => compareNames(a, b))
    .flatMap(([, branch]) => {
      if (branch === undefined) return []
      return typeof branch === 'string' ? [reverseBytes(utf8(branch))] : leaves(Object.entries(branch))
    })
}

function compareNames(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [a, b].map((name) => /^(?:0|[1-9][0-9]*)$/.test(name))
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1
  if (aIsNumber && a.length !== b.length) return a.length - b.length
  return compareBytes(utf8(a), utf8(b))
}

async function digestOf(digest: Digest, bytes: Bytes): Promise<Bytes> {
  return digest === 'md5' ? md5(bytes) : webDigest('SHA-256', bytes)
}

const webDigest = async (name: 'SHA-1' | 'SHA-256', bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest(name, bytes))
