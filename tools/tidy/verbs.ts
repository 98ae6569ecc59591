/**
 * Functions that wait are named by what they do. `alerts(pool)` reads like a value that is there; `listAlerts(pool)` says that a database is asked, so that
 * a reader of the call sees its cost and that it may fail. Decision 0293.
 */
import { functionsIn, parametersEnd } from './functions.ts'
import { isForTests, isTest, lineAt, type SourceFile } from './source-files.ts'

interface WaitingFunction {
  readonly name: string
  readonly index: number
}

const head =
  /^(?<indent>[ \t]*)(?<exported>export )?(?:(?<asynchronous>async )?function(?<star>\*?) (?<name>\w+)|const (?<constant>\w+)(?<type>:[^=\n]*=> Promise<)?[^=\n]*= (?<async>async\b)?)/gm

/** Functions with a name of their own that return a promise, also over several lines and within other functions. */
export function waitingFunctions(code: string): readonly (WaitingFunction & { readonly isExported: boolean })[] {
  const heads = functionsIn(code)
  return [...code.matchAll(head)].flatMap(({ 0: text, groups, index }) => {
    const name = groups?.['name'] ?? groups?.['constant'] ?? ''
    if (groups?.['star'] === '*') return []
    const isExported = groups?.['exported'] !== undefined
    const found = { name, isExported, index: index + (groups?.['indent']?.length ?? 0) }
    if ([groups?.['asynchronous'], groups?.['async'], groups?.['type']].some((part) => part !== undefined))
      return [found]
    const own = heads.find((one) => one.name === name && one.index >= index && one.index <= index + text.length + 200)
    const open = own?.index ?? code.indexOf('()', index + text.length - 1)
    return returnsPromise(code, open) && (own !== undefined || open <= index + text.length) ? [found] : []
  })
}

const returnsPromise = (code: string, open: number): boolean =>
  /^\s*:\s*Promise</.test(code.slice(parametersEnd(code, open) + 1, parametersEnd(code, open) + 40))

const verbs: ReadonlySet<string> = new Set(
  `add analyse announce answer append apply approve ask audit begin book cancel capture carry change charge check choose claim close collect
   compare complete confirm continue copy count create decide detach dismiss distribute drop dump enable end enter erase examine execute explain export
   fill find finish fire forgive give grant hash hold import invite issue list load lock mail make mark match migrate mint move note open
   override pack parse pause place plan prepare preview process prove publish purge put query read record refund refuse register remove renew
   replay require resend reset resolve restore resume retire retry revoke roll rotate run save seal search send set settle sign simulate split
   start stop store summarise switch try unblock unlock use verify void withdraw write`.split(/\s+/),
)
/** A condition is a question. */
const question = /^(?:is|has|may|can|needs)(?=[A-Z]|$)|(?:Is|Are|Has)[A-Z]/
/** `with…` and `in…` take the work that they run, as in `inTransaction(pool, work)`. */
const bracket = /^(?:with|in)[A-Z]/

/** As `path:line: sentence`. The exported ones of the store and the panel, where nearly every function waits for the database. */
export function waitingNouns({ path, code }: SourceFile): readonly string[] {
  if (!/^server\/src\/(?:store|panel)\//.test(path) || isTest(path) || isForTests(path)) return []
  return waitingFunctions(code)
    .filter(({ name, isExported }) => isExported && !isVerb(name))
    .map(
      ({ name, index }) =>
        `${path}:${lineAt(code, index)}: ${name} waits; begin with a verb of tools/tidy/verbs.ts, such as list, find, read or require.`,
    )
}

const isVerb = (name: string): boolean =>
  verbs.has(name.split(/(?=[A-Z])/)[0] ?? '') || question.test(name) || bracket.test(name)
