/**
 * Every value that is computed from a merchant's password: its name, what it signs, the values it needs and who can see it. A formula that is
 * added to `signature.ts` without a row here does not compile. `formula-table.test.ts` proves that a value which a payer can see signs
 * nothing else.
 *
 * What is deliberately not here: the signatures of webhooks and of the events feed, whose key is a secret of their own and which only the
 * merchant's servers see, and session tokens, which the instance signs with its own key pair.
 *
 * Chapter 10 §4.2, §4.5, Chapter 20 §4.2, Chapter 30 §2.2, Chapter 40 §16.
 */
import type { Protocol } from '../merchant.ts'
import { returnOutcomes, returnTerms, returnText, signReturn, verifiesReturn } from './payer-return.ts'
import {
  apmFormulas,
  cardFormulas,
  checkoutFormulas,
  type Formula,
  hashMatches,
  type SigningKey,
  sign,
  signCheckout,
  signedBytes,
  signedTreeBytes,
  signTree,
  type Tree,
  type VerifyingKeys,
  verifies,
  verifiesCheckout,
  walletSessionTerms,
} from './signature.ts'

export interface NamedFormula {
  /** For example `card.follow-up`. */
  readonly name: string
  /** Its number in the chapter. */
  readonly number: string
  readonly usedFor: string
  /** Null if it is the same on every protocol. */
  readonly protocol: Protocol | null
  /** `payer by option`: only if the mapping's option `returnSignature` gives the payer's return this formula. */
  readonly seenBy: 'merchant' | 'payer' | 'payer by option'
  /** The values it needs; null if every parameter is covered. */
  readonly terms: readonly string[] | null
  hash(values: Tree, key: SigningKey): string
  verifies(receivedHash: string, values: Tree, keys: VerifyingKeys): boolean
  /** The hashed bytes, with each character of the password replaced by a star, which neither reversing nor upper-casing changes. */
  explain(values: Tree, password: string): Buffer
}

// biome-ignore format: a table is read in columns.
const cardRows: Readonly<Record<keyof typeof cardFormulas, readonly [number: string, usedFor: string]>> = {
  // formula        number            used for
  start:           ['1',              'SALE, DEBIT, CARD2CARD, RECURRING_SALE, RECURRING_DEBIT, RETRY'],
  startWithToken:  ['1 with token',   'SALE, DEBIT with card_token'],
  followUp:        ['2',              'CAPTURE, CREDITVOID, VOID, RETRY, GET_TRANS_STATUS, GET_TRANS_DETAILS; callbacks'],
  createSchedule:  ['3',              'CREATE_SCHEDULE'],
  schedule:        ['4',              'UPDATE/PAUSE/RUN/DELETE_SCHEDULE, SCHEDULE_INFO, DESCHEDULE'],
  credit:          ['5',              'CREDIT2CARD'],
  creditWithToken: ['5 with token',   'CREDIT2CARD with card_token'],
  creditFollowUp:  ['6',              'look-ups and callbacks of CREDIT2CARD'],
  byOrder:         ['7',              'GET_TRANS_STATUS_BY_ORDER'],
  wallet:          ['8',              'SALE with payment_token'],
  return:          ['Return',         'the payer’s return, by mapping option only'],
}

// biome-ignore format: a table is read in columns.
const apmRows: Readonly<Record<keyof typeof apmFormulas, readonly [number: string, usedFor: string]>> = {
  // formula        number            used for
  start:           ['S1',             'SALE, DEBIT2VIRTUAL, DEBIT2VIRTUAL_CALC'],
  creditVoid:      ['S2',             'CREDITVOID'],
  followUp:        ['S3',             'CAPTURE, VOID, GET_TRANS_STATUS, DEBIT2VIRTUAL_COMPLETE'],
  payout:          ['S4',             'CREDIT2VIRTUAL, CREDIT2CRYPTO'],
  byOrder:         ['S5',             'GET_TRANS_STATUS_BY_ORDER'],
  payoutCallback:  ['C2',             'callbacks of CREDIT2VIRTUAL and CREDIT2CRYPTO'],
  cryptoCallback:  ['C3',             'callbacks of a SALE with a crypto brand'],
}

// biome-ignore format: a table is read in columns.
const checkoutRows: Readonly<Record<keyof typeof checkoutFormulas, readonly [number: string, usedFor: string]>> = {
  // formula        number            used for
  session:         ['-',              'authentication request, session token of hosted fields'],
  payment:         ['-',              'status by payment_id, void, retry'],
  order:           ['-',              'status by order_id'],
  paymentAmount:   ['-',              'refund, capture'],
  recurring:       ['-',              'recurring'],
  cardCredit:      ['-',              'card credit'],
  callback:        ['-',              'callbacks'],
  return:          ['-',              'the payer’s return, by mapping option only'],
}

const fromBefore: readonly string[] = ['card.return', 'apm.callback', 'checkout.return']

export const formulas: readonly NamedFormula[] = [
  {
    name: 'return',
    number: '-',
    usedFor: 'the payer’s return, on every protocol',
    protocol: null,
    seenBy: 'payer',
    terms: returnTerms,
    hash: (values, { password }) => signReturn(textsOf(values), password),
    // Without an outcome any is accepted, as by a merchant who reads the outcome from the one that fits.
    verifies: (receivedHash, values, { passwords }) =>
      returnOutcomes.some((outcome) => verifiesReturn(receivedHash, { outcome, ...textsOf(values) }, passwords)),
    explain: (values) => Buffer.from(returnText(textsOf(values))),
  },
  ...Object.entries(cardFormulas).map(([name, formula]) =>
    s2s(name, formula, { prefix: 'card', protocol: 'S2S_CARD', row: rowOf(cardRows, name) }),
  ),
  ...Object.entries(apmFormulas).map(([name, formula]) =>
    s2s(name, formula, { prefix: 'apm', protocol: 'S2S_APM', row: rowOf(apmRows, name) }),
  ),
  {
    name: 'apm.callback',
    number: 'C1',
    usedFor: 'callbacks but those of C2 and C3',
    protocol: 'S2S_APM',
    seenBy: seenBy('apm.callback'),
    terms: null,
    hash: signTree,
    verifies: (receivedHash, tree, { passwords, digest }) =>
      passwords.some((password) => hashMatches(receivedHash, signTree(tree, { password, digest }))),
    explain: (tree, password) => signedTreeBytes(tree, maskOf(password)),
  },
  ...Object.entries(checkoutFormulas).map(([name, terms]) =>
    checkout(`checkout.${kebab(name)}`, terms, rowOf(checkoutRows, name)),
  ),
  {
    ...checkout('wallet.session', walletSessionTerms, ['-', 'session of a wallet for the merchant’s own page']),
    protocol: null,
  },
]

/** By name or number, in upper or lower case: `card.follow-up`, `card.followUp`, `card.2`, `apm.s1`. */
export function formulaNamed(name: string): NamedFormula | undefined {
  const wanted = normaliseName(name)
  return formulas.find(
    (one) => normaliseName(one.name) === wanted || normaliseName(`${one.name.split('.')[0]}.${one.number}`) === wanted,
  )
}

/** The texts at the top level of a tree; formulas with terms need no others. */
export function textsOf(tree: Tree): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, leaf]) => (typeof leaf === 'string' ? [[name, leaf]] : [])),
  )
}

type Row = readonly [number: string, usedFor: string]

interface Usage {
  readonly prefix: string
  readonly protocol: Protocol
  readonly row: Row
}

function s2s(name: string, formula: Formula, { prefix, protocol, row }: Usage): NamedFormula {
  const [number, usedFor] = row
  const fullName = `${prefix}.${kebab(name)}`
  return {
    name: fullName,
    number,
    usedFor,
    protocol,
    seenBy: seenBy(fullName),
    terms: termsOf(formula),
    hash: (values, key) => sign(formula, textsOf(values), key),
    verifies: (receivedHash, values, keys) => verifies(receivedHash, formula, textsOf(values), keys),
    explain: (values, password) => signedBytes(formula, textsOf(values), maskOf(password)),
  }
}

function checkout(name: string, terms: readonly string[], [number, usedFor]: Row): NamedFormula {
  // The same text as the digest covers: values and password, upper-cased as a whole (Chapter 30 §2.1).
  const text: Formula = [{ step: 'up', parts: [...terms, 'password'] }]
  return {
    name,
    number,
    usedFor,
    protocol: 'CHECKOUT',
    seenBy: seenBy(name),
    terms,
    hash: (values, key) => signCheckout(terms, textsOf(values), key),
    verifies: (receivedHash, values, keys) => verifiesCheckout(receivedHash, terms, textsOf(values), keys),
    explain: (values, password) => signedBytes(text, textsOf(values), maskOf(password)),
  }
}

function seenBy(name: string): NamedFormula['seenBy'] {
  return fromBefore.includes(name) ? 'payer by option' : 'merchant'
}

function termsOf(formula: Formula): readonly string[] {
  return formula
    .flatMap((part) => (typeof part === 'string' ? [part] : termsOf(part.parts)))
    .filter((term) => term !== 'password')
}

function rowOf(rows: Readonly<Record<string, Row>>, name: string): Row {
  return rows[name] ?? ['-', '']
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

const normaliseName = (name: string): string => name.toLowerCase().replace(/[\s-]/g, '')

const maskOf = (password: string): string => '*'.repeat(Math.max(1, Buffer.byteLength(password)))
