/** The S2S protocols: forms whose `action` selects the operation, signed by a formula. Chapter 10 §1, chapter 20 §1. */
import { errors, violations } from '#domain/errors.ts'
import type { Protocol } from '#domain/merchant.ts'
import { explainHash } from '#domain/signature/hash-explanation.ts'
import { verifies } from '#domain/signature/signature.ts'
import type { Configuration } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { Action, Caller, Signed } from './action.ts'
import { readForm } from './bodies/form.ts'
import type { ValueTree } from './bodies/value-tree.ts'
import type { Dialect, MerchantRequest, ResolvedAction } from './dialect.ts'
import { errorBody } from './error-body.ts'
import type { Answer, AnswerFields } from './prepared.ts'
import { formFormat } from './values/reading.ts'
import { textIn } from './values/sent.ts'

/** Actions at an address, and the protocol whose mapping and signatures they follow. */
export interface ProtocolActions {
  readonly protocol: Protocol
  readonly actions: readonly Action[]
}

export const formDialect = (configuration: Configuration): Dialect<Caller, Signed> => ({
  format: formFormat,
  keyName: 'client_key',
  readBody,
  callerOf: (caller, { path }) => ({ ...caller, brand: (name) => configuration.brand(name), path }),
  verifies: (hash, { formula, orElse = [], values }, keys) =>
    [formula, ...orElse].some((one) => verifies(hash, one, values, keys)),
  explainHash: (hash, { formula, orElse = [], values }, keys) =>
    explainHash(hash, { formulas: [formula, ...orElse], values, isDigestedTwice: false }, keys),
  repeatable: ({ body, path }) => (path === '/v2/post' ? Buffer.concat([body, secondAddress]) : body),
  errorBody,
  notesOf: (answer) => ({ result: resultIn(answer) }),
})

/** The answer of `/v2/post` has another form, so that a key of `/post` cannot be repeated there. No form contains this byte. */
const secondAddress = Buffer.from('\0/v2/post')

function resultIn(answer: Answer): string {
  const result = isList(answer) ? undefined : answer['result']
  return typeof result === 'string' ? result : ''
}

const isList = (answer: Answer): answer is readonly AnswerFields[] => Array.isArray(answer)

function readBody({ body, contentType }: MerchantRequest): ValueTree {
  const reading = readForm(body, contentType)
  if (reading.ok) return reading.tree
  switch (reading.fault) {
    case 'too-large':
      throw new RefusedError(errors.requestTooLarge)
    case 'bare-percent':
      throw invalid({ param: 'body', text: violations.barePercent })
    case 'unreadable':
      throw new RefusedError(errors.requestInvalid)
  }
}

/** In the order of the offers. A wrong method is answered like an unknown action. Chapter 10 §1.1. */
export const actionAmong = (offers: readonly ProtocolActions[]) => {
  const byName = actionsByName(offers)
  return (tree: ValueTree, { method }: MerchantRequest): readonly ResolvedAction<Caller, Signed>[] => {
    const named = byName.get(textIn(tree, 'action') ?? '') ?? []
    const resolved = method === 'POST' ? named : named.filter(({ action }) => action.byGet)
    if (resolved.length === 0) throw new RefusedError(errors.routeNotSupported)
    return resolved
  }
}

interface OfferedAction extends ResolvedAction<Caller, Signed> {
  readonly action: Action
}

/** An action has several names, and two protocols may offer actions of one name. */
function actionsByName(offers: readonly ProtocolActions[]): ReadonlyMap<string, readonly OfferedAction[]> {
  const offered = offers.flatMap(({ protocol, actions }) => actions.map((action) => ({ action, protocol })))
  const names = new Set(offered.flatMap(({ action }) => action.names))
  return new Map([...names].map((name) => [name, offered.filter(({ action }) => action.names.includes(name))]))
}
