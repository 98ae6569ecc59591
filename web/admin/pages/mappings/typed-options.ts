/** The options of a protocol mapping as form values and as request to the service. */

import { type MappingOptions, mappingOptions } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import { splitList } from '../../kit/values/split-list.ts'

type SharedOption =
  | 'digest'
  | 'hashUpperCasing'
  | 'returnSignature'
  | 'payouts'
  | 'addToCallback'
  | 'addToStatus'
  | 'addToRedirect'
  | 'requiredPayerFields'
  | 'defaultLanguage'
  | 'redirectMode'
  | 'cascadingContext'
  | 'rejectDuplicateOrders'
  | 'callbackFormat'
  | 'pinScripts'
  | 'ownHost'
  | 'sessionUpdate'
  | 'requestSignature'

/** Numbers and lists are texts while they are being typed. */
export interface TypedOptions extends Pick<MappingOptions, SharedOption> {
  readonly enabled: boolean
  readonly termsEnabled: boolean
  readonly termsUrl: string
  readonly maxDeclines: string
  readonly declinesPerAddress: string
  readonly callbackRetrySeconds: string
  readonly embeddingOrigins: string
  readonly extendedDataKeys: string
}

export function typedOf(enabled: boolean, options: MappingOptions): TypedOptions {
  const { terms, maxDeclines, declinesPerAddress, callbackRetrySeconds, embeddingOrigins, extendedDataKeys, ...same } =
    options
  return {
    ...same,
    enabled,
    termsEnabled: terms.enabled,
    termsUrl: terms.url ?? '',
    maxDeclines: String(maxDeclines),
    declinesPerAddress: String(declinesPerAddress),
    callbackRetrySeconds: callbackRetrySeconds?.join(', ') ?? '',
    embeddingOrigins: embeddingOrigins.join('\n'),
    extendedDataKeys: extendedDataKeys.join(', '),
  }
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** Only the options of this protocol, because the service refuses those of another. */
export function optionsFrom(typed: TypedOptions, protocol: Protocol): Record<string, Json> {
  const all: Readonly<Record<keyof MappingOptions, Json>> = {
    digest: typed.digest,
    hashUpperCasing: typed.hashUpperCasing,
    returnSignature: typed.returnSignature,
    payouts: typed.payouts,
    addToCallback: typed.addToCallback,
    extendedDataKeys: splitList(typed.extendedDataKeys),
    addToStatus: typed.addToStatus,
    addToRedirect: typed.addToRedirect,
    requiredPayerFields: typed.requiredPayerFields,
    defaultLanguage: typed.defaultLanguage,
    terms: { enabled: typed.termsEnabled, url: typed.termsUrl.trim() || null },
    maxDeclines: Number(typed.maxDeclines),
    declinesPerAddress: Number(typed.declinesPerAddress),
    redirectMode: typed.redirectMode,
    cascadingContext: typed.cascadingContext,
    rejectDuplicateOrders: typed.rejectDuplicateOrders,
    callbackFormat: typed.callbackFormat,
    callbackRetrySeconds: secondsFrom(typed.callbackRetrySeconds),
    pinScripts: typed.pinScripts,
    embeddingOrigins: typed.embeddingOrigins.split(/\s+/).filter((line) => line !== ''),
    ownHost: typed.ownHost,
    sessionUpdate: typed.sessionUpdate,
    requestSignature: typed.requestSignature,
  }
  const isOf = (name: string): boolean =>
    Object.entries(mappingOptions).some(([option, { protocols }]) => option === name && protocols.includes(protocol))
  return Object.fromEntries(Object.entries(all).filter(([name]) => isOf(name)))
}

function secondsFrom(text: string): readonly number[] | null {
  const parts = splitList(text)
  return parts.length === 0 ? null : parts.map(Number)
}
