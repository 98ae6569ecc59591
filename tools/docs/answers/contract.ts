/**
 * The public contract as a short list, in which a review sees every change: each action with its parameters and when they must be sent, each
 * callback with its members and when they are there.
 */
import { endpoints } from '#server/protocols/checkout/index.ts'
import { fieldsCalls } from '#server/protocols/hosted-page/fields/calls.ts'
import type { Words } from '#server/protocols/kit/values/params.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { checkoutCallback } from '../../openapi/checkout-answers.ts'
import type { FieldColumn } from './answers.ts'
import { apmColumns } from './apm-answers.ts'
import { cardColumns } from './card-answers.ts'

export const contractFile = 'docs/interface/contract.txt'

type Section = readonly [title: string, lines: readonly string[]]

export function contract(): string {
  const sections: readonly Section[] = [
    ...cardActions.map(({ names, params }): Section => [`S2S CARD ${names.join(', ')}`, parametersOf(params)]),
    ...cardColumns.flatMap(({ action, callback }) => callbackOf(`S2S CARD callback ${action}`, callback)),
    ...apmActions.map(({ names, params }): Section => [`S2S APM ${names.join(', ')}`, parametersOf(params)]),
    ...apmColumns.flatMap(({ action, callback }) => callbackOf(`S2S APM callback ${action}`, callback)),
    ...endpoints.map(({ path, params }): Section => [`Checkout POST ${path}`, parametersOf(params)]),
    ...fieldsCalls.map(
      ({ method, paths, params }): Section => [`Checkout ${method} ${paths.join(', ')}`, parametersOf(params)],
    ),
    ['Checkout callback', membersOf(checkoutCallback)],
  ]
  return sections.map(([title, lines]) => `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`).join('\n')
}

const parametersOf = (params: Readonly<Record<string, { readonly words: Words }>>): readonly string[] =>
  Object.entries(params).flatMap(([name, { words }]) => parameterLines(name, words))

const parameterLines = (name: string, { sent, parts = {} }: Words): readonly string[] => [
  `${name}: ${sent}`,
  ...Object.entries(parts).flatMap(([part, words]) => parameterLines(`${name}.${part}`, words)),
]

/** A member stands once, with the condition under which each outcome has it. */
function callbackOf(title: string, columns: readonly FieldColumn[]): readonly Section[] {
  if (columns.length === 0) return []
  const names = new Set(columns.flatMap(({ fields }) => [...fields.keys()]))
  const lines = [...names].map((name) => {
    const having = columns.filter(({ fields }) => fields.has(name))
    const results = [...new Set(having.map(({ result }) => result))]
    const conditions = [...new Set(having.map(({ fields }) => fields.get(name) ?? ''))].filter((text) => text !== '')
    const where = having.length === columns.length ? 'always' : results.join(', ')
    return `${name}: ${[where, ...conditions].join('; ')}`
  })
  return [[title, lines]]
}

function membersOf({ properties = {}, required }: Readonly<Record<string, unknown>>): readonly string[] {
  const always = new Set(Array.isArray(required) ? required : [])
  return Object.keys(Object(properties)).map((name) => `${name}: ${always.has(name) ? 'always' : 'where it is known'}`)
}
