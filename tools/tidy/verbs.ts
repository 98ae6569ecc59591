/**
 * Functions that wait are named by what they do. `alerts(pool)` reads like a value that is there; `listAlerts(pool)` says that a database is asked, so that
 * a reader of the call sees its cost and that it may fail. See CONTRIBUTING.md, Style.
 */
import { functionsIn, parametersEnd } from './functions.ts'
import { isForTests, isTest, lineAt, type SourceFile } from './source-files.ts'

interface WaitingFunction {
  readonly name: string
  readonly index: number
}

const head =
  /^(?<indent>[ \t]*)(?<exported>export )?(?:(?<asynchronous>async )?function(?<star>\*?) (?<name>\w+)|const (?<constant>\w+)(?<type>: (?!\(\()[^=\n]*=> Promise<)?[^=\n]*= (?<async>async\b)?)/gm

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
  `accept act add admit advance alert analyse announce answer append apply approve archive ask assemble assign audit authenticate authorize await
   balance beat begin book bring build calculate call cancel capture carry catch change charge check choose claim clean clear close collect compare
   complete compose compress confirm connect contest continue copy count cover create credit creditvoid debit decide defer delete deliver demand
   derive deschedule describe detach detect disable discover dismiss dispatch dispute distribute do drain drop dump enable end enquire ensure enter
   erase evaluate examine exchange execute expire explain export extend extract fail feed fetch fill find finish fire flush follow forget forgive
   forward gather generate get give grant greet guard handle hash hold identify import initialise insert install invite issue join keep launch leave
   link list listen load lock look mail make mark match measure merge migrate mint modify move mute name note offer open override pack parse pass
   pause pay perform place plan point post postpone prepare present preview probe proceed process promote prove publish purge put query raise read
   recall receive recognise reconcile reconnect record redirect refresh refund refuse register rehash reject release reload remove renew repeat
   replace replan replay report request require reread reseal resend reserve reset resolve respond restore resume retire retry return reveal reverse
   revise revoke rewrap roll rotate route run save say schedule seal search send serve set settle share show shut sign simulate skip split start stop
   store stream sum summarise supervise sweep switch sync take tend touch trace transfer trigger try unblock undo unlock unpack update upload use
   validate verify view visit void wait warm watch wire withdraw wrap write`.split(/\s+/),
)
/** A condition is a question. */
const question = /^(?:is|has|may|can|needs)(?=[A-Z]|$)|(?:Is|Are|Has)[A-Z]/
/** `with…`, `in…`, `while…` and the like take the work that they run, as in `inTransaction(pool, work)`; `on…` is called when something has happened. */
const bracket = /^(?:with|in|while|within|without|until|on)[A-Z]/

/** Programs that are started and read by themselves, and the browser's, are left out: their functions are seldom called from another file. */
const guarded = /^(?:server\/src|domain\/src|cli)\//

/** Methods of ports and stores are called far from their declaration. Elsewhere a member may be a row of a table, such as a check of the health. */
const guardedMethods = /^server\/src\/(?:contracts|payments|store)\//

/** An acquirer's operations have the trade's names, which are also those of its fixtures and metrics; the rest are keys of tables. */
const namedByTables: ReadonlySet<string> = new Set(['effects', 'events', 'handler', 'sale', 'status'])

/** `setNamed(…)` looks like an order, and is a set: what sets something returns nothing, or whether it did. */
function isSetThatReturns(code: string, { name, index }: WaitingFunction): boolean {
  const end = parametersEnd(code, code.indexOf('(', index + name.length))
  return /^set[A-Z]/.test(name) && /^\s*:\s*Promise<(?!void>|boolean>)/.test(code.slice(end + 1, end + 60))
}

/** As `path:line: sentence`. */
export function waitingNouns({ path, code }: SourceFile): readonly string[] {
  if (!guarded.test(path) || isTest(path) || isForTests(path)) return []
  return [...waitingFunctions(code), ...(guardedMethods.test(path) ? waitingMethods(code) : [])]
    .filter((one) => (!isVerb(one.name) && !namedByTables.has(one.name)) || isSetThatReturns(code, one))
    .map(
      ({ name, index }) =>
        `${path}:${lineAt(code, index)}: ${name} waits; begin with a verb of tools/tidy/verbs.ts, such as list, find, read or require.`,
    )
}

const methodHead =
  /^[ \t]+(?:readonly )?(?:(?<async>async) )?(?<name>[a-z]\w*)\??(?:: (?<asyncArrow>async )?)?(?:<[^()\n]*>)?(?=\()/gm

/** Members of types, classes and objects: `find(id): Promise<…>`, `find: (id) => Promise<…>`, `find: async (id) =>`, `async find(id) {`. */
function waitingMethods(code: string): readonly WaitingFunction[] {
  return [...code.matchAll(methodHead)].flatMap(({ 0: head, groups, index }) => {
    const name = groups?.['name'] ?? ''
    const open = index + head.length
    const after = code.slice(parametersEnd(code, open) + 1, parametersEnd(code, open) + 60)
    const isMember = /^\s*(?:: Promise<|=> Promise<)/.test(after)
    const isAsync = (groups?.['async'] ?? groups?.['asyncArrow']) !== undefined && /^\s*(?::|=>|\{)/.test(after)
    return isMember || isAsync ? [{ name, index: index + head.length - head.trimStart().length }] : []
  })
}

const isVerb = (name: string): boolean =>
  verbs.has(name.split(/(?=[A-Z])/)[0] ?? '') || question.test(name) || bracket.test(name)
