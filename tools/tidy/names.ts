/** Names of declarations. The code uses the trade's words, which a new engineer knows; each word below had a private meaning here. */
import { functionsIn } from './functions.ts'
import { isForTests, isTest, lineAt, type SourceFile } from './source-files.ts'
import { waitingFunctions } from './verbs.ts'

interface BannedWord {
  readonly word: string
  /** `part` bans it as one word of a longer name, too. */
  readonly as: 'whole' | 'part'
  readonly instead: string
}

const part = (word: string, instead: string): BannedWord => ({ word, as: 'part', instead: `say ${instead}` })
const whole = (word: string, instead: string): BannedWord => ({ word, as: 'whole', instead: `say ${instead}` })
const nounOrVerb = 'name a value by a noun, a function by a verb, a condition as a question'
/** A bare participle says what happened to a value, and not what the value is. */
const participle = (word: string): BannedWord => ({ word, as: 'whole', instead: nounOrVerb })

// biome-ignore format: a table is read in columns.
const bannedWords: readonly BannedWord[] = [
  part('means',       'payment method'),
  part('side',        'mode: live or test'),
  part('sides',       'modes'),
  part('standing',    'health of a MID, or state'),
  part('standings',   'health of MIDs'),
  part('maker',       'wallet provider'),
  part('makers',      'wallet providers'),
  part('desk',        'context'),
  part('office',      'context'),
  part('foundation',  'context'),
  part('letters',     'mails'),
  part('engine',      'worker'),
  part('engines',     'workers'),
  whole('turn',       'placement'),
  whole('turns',      'placements'),
  participle('asked'),
  participle('given'),
  participle('heard'),
  participle('kept'),
  participle('made'),
  participle('performed'),
  participle('told'),
  participle('turned'),
]

interface Name {
  readonly name: string
  readonly index: number
}

const declaration = /\b(?:const|let|function\*?|class|interface|type)\s+(?<name>[A-Za-z_$][\w$]*)/g
const parameter = /^(?:(?:private|protected|public|readonly)\s+)*(?:\.\.\.)?(?<name>[A-Za-z_$][\w$]*)/

/** Declared by a keyword or as a parameter. Members are left out: many are columns or keys of JSON, which keep their names. */
function declaredNames(code: string): readonly Name[] {
  const declared = [...code.matchAll(declaration)].map(({ groups, index }) => ({ name: groups?.['name'] ?? '', index }))
  const parameters = functionsIn(code).flatMap(({ parameters: list, index }) =>
    list.map((text) => ({ name: parameter.exec(text)?.groups?.['name'] ?? '', index })),
  )
  return [...declared, ...parameters]
}

const exportedValue = /^export (?:async )?(?:function\*?|const|let) (?<name>[a-z]+)\b(?!\$)/gm
const regular = /[^e]ed$/
// Those in -ing are not banned in general: many are nouns, such as `greeting` and `warning`.
const irregular = new Set(
  `begun bound built chosen drawn following found frozen gone hearing held hidden known left lost paid patiently said seen sent shown
   silent sold soon taken unseen written`.split(/\s+/),
)
/** `required(…)` is read in the parameter tables, beside `optional(…)`. */
const acceptedExports: ReadonlySet<string> = new Set(['embed', 'required'])
const acceptedFunctions: ReadonlySet<string> = new Set([...acceptedExports, 'proceed', 'seed'])

const functionName =
  /(?:\bfunction\*?|\b(?:const|let)) (?<name>[a-z]+)(?= ?\(|<|(?:: [^=\n]+)? = (?:async )?(?:<[^()\n]*>)?(?:\([^()]*(?:\([^()]*\)[^()]*)*\)(?:: [^\n]*?)? =>|function\b))/g

/** `refused(reason)` says what happened to something; `refuse(reason)` says what the call does. See CONTRIBUTING.md, Style. */
function participleFunctions(path: string, code: string): readonly Name[] {
  if (isTest(path) || isForTests(path) || path.startsWith('server/test/')) return []
  return [...code.matchAll(functionName)]
    .map(({ 0: head, groups, index }) => ({ name: groups?.['name'] ?? '', index: index + head.length }))
    .filter(({ name }) => (regular.test(name) || irregular.has(name)) && !acceptedFunctions.has(name))
}

/** Other files read an exported name without its declaration, so there every participle of one word is banned. */
function exportedParticiples(code: string): readonly Name[] {
  return [...code.matchAll(exportedValue)]
    .map(({ groups, index }) => ({ name: groups?.['name'] ?? '', index }))
    .filter(({ name }) => (regular.test(name) || irregular.has(name)) && !acceptedExports.has(name))
}

const portMethod =
  /^\s+(?:readonly )?(?<name>[a-z]+)\??(?:<[^()\n]*>)?(?:\(|: (?:async )?(?:<[^()\n]*>)?\([^()]*\)(?:: [^\n]*?)? =>)/gm
const stateWords = new Set(['standing', 'unknown'])

/** A row of the table of what happens to a payment's claims, beside `kept` and `freed`; nothing calls it by its name. */
const claimChange = 'taken'

/** The callers of a port or a store read `runs.sent(…)` far from its declaration: is it a question or an order? Methods are verbs. */
function participleMethods(path: string, code: string): readonly Name[] {
  if (!/^server\/src\/(?:contracts|store)\//.test(path) || isTest(path)) return []
  return [...code.matchAll(portMethod)]
    .map(({ 0: head, groups, index }) => ({
      name: groups?.['name'] ?? '',
      index: index + head.length - head.trimStart().length,
    }))
    .filter(({ name }) => regular.test(name) || irregular.has(name) || stateWords.has(name))
    .filter(({ name }) => name !== claimChange)
}

/** Programs of others import the client's; the other folders are tools of tests. */
const mayReadByNoun = /^(?:server\/test|client|sandbox|tools|bench|campaigns)\//

/** `xOf(y)` is read as a pure projection of y. What waits reads, requires, finds or lists, and may fail. */
function asyncProjections(path: string, code: string): readonly Name[] {
  if (mayReadByNoun.test(path) || isTest(path)) return []
  return waitingFunctions(code).filter(({ name }) => name.endsWith('Of'))
}

const projection = /^[ \t]*(?:export )?(?:function|const) (?<name>\w+Of)\b/gm
/** Reads the time, takes an identifier or writes. Refusing is none: many projections throw at a value that has no counterpart. */
const effect = /\bclock\.now\(|\bids\.(?:next|random)\(|\bwriteFile(?:Sync)?\(/

/** A reader of `xOf(y)` expects the same result for the same y. */
function impureProjections(path: string, code: string): readonly Name[] {
  if (mayReadByNoun.test(path) || isTest(path) || isForTests(path)) return []
  return [...code.matchAll(projection)]
    .map(({ groups, index }) => ({ name: groups?.['name'] ?? '', index }))
    .filter(({ index }) => effect.test(bodyAt(code, index)))
}

/** Up to the next line that begins no deeper than this one: what stands deeper, or closes it, belongs to it. */
function bodyAt(code: string, index: number): string {
  const depth = /^[ \t]*/.exec(code.slice(index))?.[0].length ?? 0
  const [first = '', ...rest] = code.slice(index).split('\n')
  const end = rest.findIndex((line) => /\S/.test(line) && line.search(/\S/) <= depth && !/^\s*[)}\]]/.test(line))
  return [first, ...(end < 0 ? rest : rest.slice(0, end))].join('\n')
}

type Complaint = readonly [word: string, complaint: string]

/** By the banned word, as `path:line: sentence`. */
export function bannedNames({ path, code }: SourceFile): readonly Complaint[] {
  const complaint = (word: string, { name, index }: Name, instead: string): Complaint => [
    word,
    `${path}:${lineAt(code, index)}: ${name}; ${instead}.`,
  ]
  const declared = declaredNames(code).flatMap((name) => {
    const words = name.name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())
    return bannedWords
      .filter(({ word, as }) => words.includes(word) && (as === 'part' || words.length === 1))
      .map(({ word, instead }) => complaint(word, name, instead))
  })
  const listed = new Set(bannedWords.map(({ word }) => word))
  const exported = exportedParticiples(code).filter(({ name }) => !listed.has(name))
  return [
    ...declared,
    ...exported.map((name) => complaint('exported participle', name, nounOrVerb)),
    ...participleFunctions(path, code)
      .filter(({ name }) => !listed.has(name) && !exported.some((one) => one.name === name))
      .map((name) => complaint('participle of a function', name, 'name a function by a verb')),
    ...asyncProjections(path, code).map((name) =>
      complaint('projection that waits', name, 'say read, require, find or list'),
    ),
    ...impureProjections(path, code).map((name) =>
      complaint('projection with effects', name, 'say new, create, read or ensure'),
    ),
    ...participleMethods(path, code).map((name) => complaint('participle of a port', name, 'name a method by a verb')),
  ]
}
