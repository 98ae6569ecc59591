/** The parameters of every action of the S2S protocols, in the order in which they are checked. */
import type { Action } from '#server/protocols/kit/action.ts'
import type { Param, ParamTable, Words } from '#server/protocols/kit/values/params.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { code, table } from './markdown.ts'
import type { Regions } from './regions.ts'

/** A region per action: `action-get-trans-status` for GET_TRANS_STATUS, with the prefix `apm-` on S2S APM. */
export const actionRegions: Regions = {
  actions: () => actionTable(cardActions),
  'apm-actions': () => actionTable(apmActions),
  ...regionsOf('action', cardActions),
  ...regionsOf('apm-action', apmActions),
}

function regionsOf(prefix: string, actions: readonly Action[]): Regions {
  return Object.fromEntries(
    actions.map(({ names: [name = ''], params }) => [
      `${prefix}-${name.toLowerCase().replaceAll('_', '-')}`,
      () => parameterTable(name, params),
    ]),
  )
}

const actionTable = (actions: readonly Action[]): string =>
  table(
    ['`action`', 'Short forms and other names', 'Parameters'],
    actions.map(({ names: [name = '', ...aliases], params }) => [
      `[${code(name)}](#${name.toLowerCase()})`,
      aliases.map(code).join(', '),
      Object.keys(params).length,
    ]),
  )

function parameterTable(action: string, params: ParamTable): string {
  return table(
    ['Parameter', 'Must be sent', 'Holds'],
    Object.entries(params).flatMap(([name, param]) => rowsOf(name, wordsOf(action, name, param))),
  )
}

function rowsOf(name: string, { sent, holds, parts = {} }: Words): readonly (readonly string[])[] {
  return [
    [code(name), sent, holds],
    ...Object.entries(parts).flatMap(([part, words]) => rowsOf(`${name}[${part}]`, words)),
  ]
}

/** These two are the same everywhere, and are checked in later steps than the parameters. */
const elsewhere: Readonly<Record<string, string>> = {
  client_key: "the merchant's key or test key",
  hash: 'the [signature](signatures.md)',
}

function wordsOf(action: string, name: string, { words }: Param<unknown>): Words {
  if (words.sent !== '' && words.holds !== '') return { ...words, holds: elsewhere[name] ?? words.holds }
  throw new Error(
    `${name} of ${action} does not say what it takes: give its param or its format words (protocols/kit/values/params.ts).`,
  )
}
