/** The Checkout API: JSON at an address per endpoint, signed over named values. Chapter 30 §1, §2. */
import { errors, violations } from '#domain/errors.ts'
import { explainHash } from '#domain/signature/hash-explanation.ts'
import { verifiesCheckout } from '#domain/signature/signature.ts'
import type { Ids, Log } from '../../contracts/ports.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { SessionTokens } from '../../contracts/session-ports.ts'
import { readJsonBody } from '../kit/bodies/json-body.ts'
import type { ValueTree } from '../kit/bodies/value-tree.ts'
import type { Dialect, Kit } from '../kit/dialect.ts'
import type { PageUrl } from '../kit/page-url.ts'
import { jsonFormat } from '../kit/values/reading.ts'
import type { Caller, Signed } from './endpoint.ts'
import { checkoutErrorBody } from './error-body.ts'

export interface CheckoutKit extends Kit {
  readonly tokens: SessionTokens
  readonly pageUrl: PageUrl
  readonly ids: Ids
  readonly log: Log
  /** Whether the merchant has an approved form of this name. */
  readonly hasForm: (merchantId: string, formId: string) => Promise<boolean>
}

export const checkoutDialect = ({
  configuration,
  tokens,
  pageUrl,
  ids,
  log,
  hasForm,
}: CheckoutKit): Dialect<Caller, Signed> => ({
  format: jsonFormat,
  keyName: 'merchant_key',
  readBody: ({ body }) => bodyOf(body),
  callerOf: (caller) => ({
    ...caller,
    crypto: configuration.cryptoCurrencies(),
    tokens,
    ids,
    log,
    pageUrl: pageUrl(caller.merchant, caller.mapping),
    hasForm: (formId) => hasForm(caller.merchant.id, formId),
  }),
  verifies: (hash, { names, values }, keys) => verifiesCheckout(hash, names, values, keys),
  explainHash: (hash, { names, values }, keys) =>
    explainHash(
      hash,
      { formulas: [[{ step: 'up', parts: [...names, 'password'] }]], values, isDigestedTwice: true },
      keys,
    ),
  // The path is included, because two endpoints may take the same parameters.
  repeatable: ({ path, body }) => Buffer.concat([Buffer.from(`${path}\n`), body]),
  errorBody: checkoutErrorBody,
  notesOf: () => ({}),
})

/** Parameters whose content belongs to the merchant, so their keys stay unchanged. */
const merchantsOwn = ['custom_data', 'parameters']

export function bodyOf(body: Buffer): ValueTree {
  const reading = readJsonBody(body, merchantsOwn)
  if (reading.ok) return reading.tree
  if (reading.fault === 'too-large') throw new RefusedError(errors.requestTooLarge)
  throw invalid({ param: 'body', text: violations.notJson })
}
