/** `client/vectors.json`: signed requests and callbacks with which a client library in any language verifies its signatures. */
import type { Protocol } from '#domain/merchant.ts'
import { formulaNamed, formulas, type NamedFormula } from '#domain/signature/formula-table.ts'
import { netstring, returnTerms } from '#domain/signature/payer-return.ts'
import { requestContent, signRequest } from '#domain/signature/request-signature.ts'
import {
  apmFormulas,
  cardFormulas,
  checkoutFormulas,
  type Digest,
  type Formula,
  signCheckout,
  type Tree,
  webhookSignature,
} from '#domain/signature/signature.ts'
import { encodeForm } from '#server/protocols/kit/bodies/form.ts'
import { type BasePart, partsOf, treePartsOf } from './base-parts.ts'
import { type CallbackCase, callbackCases, secret } from './vector-callbacks.ts'
import {
  apmRequests,
  cardRequests,
  checkoutRequests,
  type RequestCase,
  type SignedRequestCase,
  sample,
  signedRequests,
  type TextTree,
} from './vector-requests.ts'

export const vectorsFile = 'client/vectors.json'

const about =
  'Generated from the tables of Gatehouse; see README.md beside this file. None of the keys, cards and payments exists.'

export function clientVectors(): string {
  const content = {
    about,
    version: 1,
    formulas: formulas
      .filter(({ name }) => usedNames.has(name))
      .map(({ name, protocol, usedFor, terms }) => ({
        name,
        protocol,
        used_for: usedFor,
        values: terms,
      })),
    requests: [
      ...cardRequests.flatMap((one) => requestVectors(one, 'S2S_CARD')),
      ...apmRequests.flatMap((one) => requestVectors(one, 'S2S_APM')),
      ...checkoutRequests.flatMap((one) => requestVectors(one, 'CHECKOUT')),
    ],
    signed_requests: signedRequests.map(signedVector),
    callbacks: callbackCases.map(callbackVector),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

const usedNames: ReadonlySet<string> = new Set(
  [...cardRequests, ...apmRequests, ...checkoutRequests, ...callbackCases].map(({ formula }) => formula),
)

const digests: readonly Digest[] = ['md5', 'sha256']

const addresses = { S2S_CARD: '/post', S2S_APM: '/post-va', CHECKOUT: '' } as const

function requestVectors(request: RequestCase, protocol: Protocol): readonly object[] {
  const { title, action, parameters, upperCasing } = request
  const isReturn = action === 'return'
  const keyName = protocol === 'CHECKOUT' ? 'merchant_key' : 'client_key'
  const known = request.known ?? {}
  const formula = requireFormula(request.formula)
  const values: Tree = formula.terms === null ? parameters : valuesOf(parameters, known)
  // The digest of the mapping does not change the hash of a return.
  return digests.slice(0, isReturn ? 1 : 2).map((digest) => ({
    title,
    protocol,
    action: protocol === 'CHECKOUT' ? undefined : isReturn ? undefined : action,
    path: isReturn ? undefined : protocol === 'CHECKOUT' ? action : addresses[protocol],
    parameters: {
      ...(protocol === 'CHECKOUT' || isReturn ? {} : { action }),
      ...(isReturn ? {} : { [keyName]: sample.key }),
      ...parameters,
    },
    known,
    formula: formula.name,
    password: sample.password,
    digest: isReturn ? undefined : digest,
    upper_casing: upperCasing,
    base: baseOf(formula, values, upperCasing),
    hash: hashOf(formula, values, digest, upperCasing),
  }))
}

function hashOf(formula: NamedFormula, values: Tree, digest: Digest, upperCasing: 'unicode' | undefined): string {
  const key = { password: sample.password, digest }
  if (formula.protocol !== 'CHECKOUT' || upperCasing === undefined) return formula.hash(values, key)
  return signCheckout(formula.terms ?? [], flatTexts(values), key, upperCasing)
}

/** Terms by the names of the formulas; a card number gives the digits that sign. */
function valuesOf(parameters: TextTree, known: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const texts = flatTexts(parameters)
  const card = texts['card_number'] ?? texts['payer_card_number']
  return {
    ...texts,
    ...(texts['payer_email'] === undefined ? {} : { email: texts['payer_email'] }),
    ...(card === undefined ? {} : { pan10: card.slice(0, 6) + card.slice(-4) }),
    ...known,
  }
}

/** Members of an object by their names with a point, as the formulas of Checkout name them. */
function flatTexts(tree: Tree, prefix = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, branch]): readonly (readonly [string, string])[] => {
      if (branch === undefined) return []
      return typeof branch === 'string' ? [[prefix + name, branch]] : Object.entries(flatTexts(branch, `${name}.`))
    }),
  )
}

function baseOf(formula: NamedFormula, values: Tree, upperCasing: 'unicode' | undefined): readonly object[] {
  const parts = partsIn(formula, values).filter(({ bytes }) => bytes.length > 0)
  const shown = upperCasing === 'unicode' ? parts.map(unicodeUpperCase) : parts
  return shown.map(({ name, bytes }) => ({ name, hex: bytes.toString('hex') }))
}

/** Safe on the original bytes: ASCII upper-casing has left the other letters as they were. */
const unicodeUpperCase = ({ name, bytes }: BasePart): BasePart => ({
  name,
  bytes: Buffer.from(bytes.toString('utf8').toUpperCase()),
})

const formulaTables: Readonly<Record<string, Formula>> = Object.fromEntries([
  ...Object.entries(cardFormulas).map(([name, formula]) => [`card.${kebab(name)}`, formula] as const),
  ...Object.entries(apmFormulas).map(([name, formula]) => [`apm.${kebab(name)}`, formula] as const),
  ...Object.entries(checkoutFormulas).map(
    ([name, terms]) => [`checkout.${kebab(name)}`, [{ step: 'up', parts: [...terms, 'password'] }] as Formula] as const,
  ),
])

function partsIn({ name, terms }: NamedFormula, values: Tree): readonly BasePart[] {
  if (name === 'return') {
    const texts = flatTexts(values)
    return returnTerms.map((term) => ({ name: term, bytes: Buffer.from(netstring(texts[term])) }))
  }
  if (terms === null) return treePartsOf(values, sample.password)
  return partsOf(formulaTables[name] ?? [], { ...flatTexts(values), password: sample.password })
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function requireFormula(name: string): NamedFormula {
  const formula = formulaNamed(name)
  if (!formula) throw new Error(`No formula is named "${name}".`)
  return formula
}

function signedVector({ title, id, ...parts }: SignedRequestCase): object {
  const { password } = sample
  const request = { token: '', idempotencyKey: '', ...parts }
  const content = Buffer.concat([Buffer.from(`${id}.${sentAt}.`), requestContent(request)])
  return {
    title,
    method: request.method,
    path: request.target,
    token: request.token,
    idempotency_key: request.idempotencyKey,
    body: request.body,
    password,
    id,
    timestamp: sentAt,
    base: content.toString('hex'),
    headers: signRequest(password, request, { id, at: new Date(sentAt * 1000) }),
  }
}

const sentAt = 1_773_143_513
const webhookId = 'msg_aaaff66a904f11ea833e0242ac1f0007'

function callbackVector(callback: CallbackCase): object {
  const { title, fields, known = {}, digest = 'md5', format = 'form', altered = {}, age = 0 } = callback
  const formula = requireFormula(callback.formula)
  const password = callback.password ?? sample.password
  const covered: Tree = formula.terms === null ? fields : callbackValues(fields, known)
  const hash = formula.hash(covered, { password, digest })
  const sent: TextTree = { ...fields, hash }
  const body = writeFields(sent, format)
  const signatures = (callback.secrets ?? [secret]).map((one) => webhookSignature(one, webhookId, sentAt, body))
  const arrived = Object.fromEntries(
    Object.entries({
      ...sent,
      ...(altered.upperCaseHash && { hash: hash.toUpperCase() }),
      ...altered.fields,
    }).filter(([name]) => name !== altered.without),
  )
  const headers = Object.entries({
    'content-type': format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
    'webhook-id': webhookId,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': signatures.join(' '),
    'webhook-sequence': '1',
    ...altered.headers,
  }).filter(([, value]) => value !== null)
  return {
    title,
    protocol: formula.protocol,
    formula: formula.name,
    headers: Object.fromEntries(headers),
    body: writeFields(arrived, format),
    known,
    receiver: {
      passwords: callback.receiver?.passwords ?? [sample.password],
      digest,
      secrets: callback.receiver?.secrets ?? [secret],
    },
    now: sentAt + age,
    expected: callback.expected,
  }
}

const writeFields = (fields: TextTree, format: 'form' | 'json'): string =>
  format === 'json' ? JSON.stringify(fields) : encodeForm(fields)

function callbackValues(fields: TextTree, known: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const values = valuesOf(fields, known)
  const mask = values['card']
  return mask === undefined || values['pan10'] !== undefined
    ? values
    : { ...values, pan10: mask.slice(0, 6) + mask.slice(-4) }
}
