/** The schemas of values that operations read themselves: routing rules, options of mappings, records of brands. */
import { z } from 'zod'
import {
  brandActions,
  brandKinds,
  pageModes,
  refundScopes,
  sandboxBehaviours,
  waitingStatuses,
} from '#domain/brand/brand.ts'
import { type MappingOptions, mappingOptions } from '#domain/mapping.ts'
import { languages } from '#domain/place/language.ts'
import { ruleSchema } from '../../../panel/setup/routing.ts'

type Schema = Readonly<Record<string, unknown>>

export const documentedValues = (): Readonly<Record<string, Schema>> => ({
  Json: { description: 'Any JSON value.' },
  RoutingRule: routingRule(),
  MappingOptions: options(),
  BrandRecord: brandRecord,
})

function routingRule(): Schema {
  const { $schema: _, ...written } = z.toJSONSchema(ruleSchema, { io: 'input', unrepresentable: 'any' })
  return { ...written, description: 'A routing rule. MIDs are named; amounts are minor units as text.' }
}

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'array', items: text }
const flag: Schema = { type: 'boolean' }
const integer: Schema = { type: 'integer' }
const oneOf = (values: readonly string[]): Schema => ({ type: 'string', enum: [...values] })
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema['type'], 'null'] })

// biome-ignore format: a table is read in columns.
const optionSchemas: { readonly [Name in keyof MappingOptions]: Schema } = {
  digest:                oneOf(['md5', 'sha256']),
  hashUpperCasing:       oneOf(['ascii', 'unicode']),
  returnSignature:       oneOf(['own', 'callback']),
  payouts:               flag,
  addToCallback:         texts,
  extendedDataKeys:      texts,
  addToStatus:           texts,
  addToRedirect:         texts,
  requiredPayerFields:   texts,
  defaultLanguage:       oneOf(languages.map(({ code }) => code)),
  terms:                 { type: 'object', properties: { enabled: flag, url: orNull(text) }, required: ['enabled'], additionalProperties: false },
  maxDeclines:           integer,
  declinesPerAddress:    integer,
  redirectMode:          oneOf(['standard', 'memory_storage']),
  cascadingContext:      flag,
  rejectDuplicateOrders: flag,
  callbackFormat:        oneOf(['form', 'json']),
  callbackRetrySeconds:  orNull({ type: 'array', items: integer }),
  pinScripts:            flag,
  embeddingOrigins:      texts,
  ownHost:               flag,
  sessionUpdate:         oneOf(['listed-or-signed', 'token']),
  requestSignature:      oneOf(['hash', 'both', 'required']),
}

function options(): Schema {
  const described = Object.entries(optionSchemas).map(([name, schema]) => {
    const option = Object.entries(mappingOptions).find(([one]) => one === name)?.[1]
    return [name, { ...schema, description: `${option?.title}; ${option?.protocols.join(', ')}.` }]
  })
  return { type: 'object', properties: Object.fromEntries(described), additionalProperties: false }
}

const byAction = (values: Schema): Schema => ({
  type: 'object',
  propertyNames: oneOf(brandActions),
  additionalProperties: values,
})
const parameter: Schema = { type: 'object', additionalProperties: true }

const brandRecord: Schema = {
  type: 'object',
  description:
    'A brand or network with the field names of the catalogue; fields that the service sets are ignored on input.',
  required: ['code', 'kind', 'title', 'actions', 'connectors', 'currencies', 'expires_after'],
  // biome-ignore format: a table is read in columns.
  properties: {
    code:              text,
    aliases:           texts,
    title:             { type: 'object', description: 'By language.', additionalProperties: text },
    description:       orNull(text),
    logo:              orNull(text),
    kind:              oneOf(brandKinds),
    enabled:           flag,
    test_only:         flag,
    actions:           { type: 'array', items: oneOf(brandActions) },
    connectors:        texts,
    currencies:        texts,
    countries:         texts,
    amount_limits:     { type: 'object', description: 'By currency.', additionalProperties: { type: 'object', properties: { min: orNull(text), max: orNull(text) } } },
    identifier:        oneOf(['required', 'optional']),
    identifier_schema: orNull(parameter),
    amount_optional:   flag,
    crypto_networks:   orNull(texts),
    payer_required:    byAction(texts),
    parameters:        byAction({ type: 'array', items: parameter }),
    two_stage:         oneOf(['no', 'by_connector']),
    partial_capture:   flag,
    void:              flag,
    refund:            oneOf(refundScopes),
    waiting:           oneOf(waitingStatuses),
    expires_after:     { type: 'integer', description: 'Seconds.' },
    page_mode:         oneOf(pageModes),
    page_order:        integer,
    checkout_name:     text,
    cascade:           flag,
    sandbox_behaviour: oneOf(sandboxBehaviours),
    built_in:          flag,
    version:           integer,
    changed_by:        orNull(text),
    changed_at:        orNull(text),
    terms_checkbox:    flag,
    document_brand:    orNull(text),
  },
  additionalProperties: false,
}
