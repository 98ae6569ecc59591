/** The parameters of every action of S2S CARD, in the order in which they are checked. */
import type { Param, ParamTable, Words } from '#server/protocols/kit/params.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { code, table } from './markdown.ts'
import type { Regions } from './regions.ts'

/** A region per action: `action-get-trans-status` for GET_TRANS_STATUS. */
export const actionRegions: Regions = Object.fromEntries(
  cardActions.map(({ names: [name = ''], params }) => [
    `action-${name.toLowerCase().replaceAll('_', '-')}`,
    () => parameterTable(name, params),
  ]),
)

export const actionTable = (): string =>
  table(
    ['`action`', 'Short forms and other names', 'Parameters'],
    cardActions.map(({ names: [name = '', ...aliases], params }) => [
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

/** What these two hold is the same everywhere, and is judged in later steps than the parameters. */
const elsewhere: Readonly<Record<string, string>> = {
  client_key: "the merchant's key or test key",
  hash: 'the [signature](signatures.md)',
}

function wordsOf(action: string, name: string, { words }: Param<unknown>): Words {
  if (words && words.sent !== '' && words.holds !== '') return { ...words, holds: elsewhere[name] ?? words.holds }
  throw new Error(
    `${name} of ${action} does not say what it takes: give its param or its format words (protocols/kit/params.ts).`,
  )
}
