/** What the code of this project does not say, where it may be said all the same, and what to say instead. */
import { closingBrace } from './functions.ts'
import { isForTests, isTest, lineAt, type SourceFile } from './source-files.ts'

interface ForbiddenPattern {
  readonly what: string
  readonly pattern: RegExp
  /** Comments and quoted texts are looked at as well. */
  readonly everywhere: boolean
  readonly mayStandIn: (path: string) => boolean
  readonly instead: string
}

const nowhere = (): boolean => false
const under =
  (...places: readonly string[]) =>
  (path: string): boolean =>
    places.some((place) => path === place || path.startsWith(`${place}/`))
const testsAnd =
  (...places: readonly string[]) =>
  (path: string): boolean =>
    isTest(path) || under('server/test', 'cli/test', ...places)(path)
/** A program reads its own environment where it starts. */
const programs = (path: string): boolean =>
  /^sandbox\/[a-z-]+\/main\.ts$|^examples\/typescript\/shop\.ts$|^client\/typescript\/cli\/main\.ts$/.test(path)

const code = (
  what: string,
  pattern: RegExp,
  mayStandIn: ForbiddenPattern['mayStandIn'],
  instead: string,
): ForbiddenPattern => ({
  what,
  pattern,
  everywhere: false,
  mayStandIn,
  instead,
})
const text = (...row: Parameters<typeof code>): ForbiddenPattern => ({ ...code(...row), everywhere: true })

/** Hundreds of tests read answers, callbacks and printed JSON of every shape through these three. */
const testBenches = under('server/test/shop.ts', 'server/test/receiver.ts', 'cli/test/gatehouse.ts')
const clocks = under(
  'server/src/process/clock.ts',
  'sandbox/acquirer/test-clock.ts',
  'sandbox/acquirers/kit/clock.ts',
  'client/typescript/src/clock.ts',
)
const environments = (path: string): boolean =>
  programs(path) ||
  testsAnd(
    'server/src/process/config.ts',
    'server/src/demo/child-program.ts',
    'cli/kit/instance.ts',
    'tools',
    'bench',
    'campaigns',
  )(path)

// biome-ignore format: a table is read in columns.
const forbiddenPatterns: readonly ForbiddenPattern[] = [
  //   what                 looks like                                     may stand in        instead
  code('Date.now',          /\bDate\.now\b/,                               clocks,             'take a Clock: a sandbox instance moves its own'),
  code('new Date()',        /\bnew Date\(\s*\)/,                           nowhere,            'take a Clock: a sandbox instance moves its own'),
  code('Math.random',       /\bMath\.random\b/,                            nowhere,            'take Ids; tests and campaigns take a seeded generator'),
  code('process.env',       /\bprocess\s*\.\s*env\b/,                      environments,       'add a setting to server/src/process/config.ts'),
  code('console',           /\bconsole\s*\./,                              nowhere,            'take the Log; a program writes to process.stdout'),
  code('any',               /(?:[:<|&,(=]|\bas)\s*any\b(?!\s*[:=(.])/,     testBenches,        'use unknown and parse it'),
  code('export default',    /\bexport\s+default\b/,                        nowhere,            'give it a name'),
  code('enum',              /^\s*(?:export\s+)?(?:const\s+)?enum\s/m,      nowhere,            'use a union of literals: Node strips types, it does not compile'),
  code('issues of zod',     /\berror\??\.issues\b/,                        under('server/src/contracts/value-faults.ts'), 'use readValue of server/src/contracts/value-faults.ts: the words of a library do not reach people'),
  text('types not checked', /@ts-(?:ignore|nocheck)\b/,                    nowhere,            'make the types right'),
  text('an expected fault', /@ts-expect-(?:error)\b/,                        testsAnd(),         'make the types right; a test may show that something does not compile'),
  text('a mark for later',  /\b(?:FIX|TO)(?:ME|DO)\b|\bX{3}:/,             nowhere,            'do it now, or write an issue'),
  code('a test left alone', /\b(?:test|describe|it|suite|t)\.(?:only|todo)\b|\b(?:test|describe|it|suite)\.skip\b|\b(?:only|skip|todo):\s*true\b/, nowhere, 'a test runs, or is not there; skip with a condition that says when'),
]

/** The places of a file that say what is forbidden, as `path:line: sentence`. */
export function complaintsAbout(file: SourceFile): readonly string[] {
  return [...patternComplaints(file), ...printedParserMessages(file)]
}

function patternComplaints(file: SourceFile): readonly string[] {
  return forbiddenPatterns
    .filter(({ mayStandIn }) => !mayStandIn(file.path))
    .flatMap(({ what, pattern, everywhere, instead }) =>
      (everywhere ? file.text : file.code)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${what}; ${instead}.`] : [])),
    )
}

const guardedRoom = /^(?:cli|server\/src|sandbox|domain\/src|web)\//
const catching = /^\s*catch\s*\((?<name>[\w$]+)[^)]*\)\s*\{/

/** The message of the JSON parser is the library's wording, and it quotes the text, which may contain secrets. */
function printedParserMessages({ path, code }: SourceFile): readonly string[] {
  if (!guardedRoom.test(path) || isTest(path) || isForTests(path) || path.startsWith('cli/test/')) return []
  return [...code.matchAll(/\btry\s*\{/g)].flatMap(({ 0: head, index }) => {
    const open = index + head.length - 1
    const close = closingBrace(code, open)
    if (!/\bJSON\.parse\b/.test(code.slice(open, close))) return []
    const caught = catching.exec(code.slice(close + 1))
    const name = caught?.groups?.['name']
    if (!caught || name === undefined) return []
    const bodyAt = close + caught[0].length
    const body = code.slice(bodyAt, closingBrace(code, bodyAt))
    return new RegExp(`\\b${name}\\.message\\b|\\bString\\(${name}\\)|·${name}·`).test(body)
      ? [`${path}:${lineAt(code, bodyAt)}: the message of the JSON parser; say "… is not valid JSON." instead.`]
      : []
  })
}

/**
 * Comments above functions. "Of two currencies." or "Those of the payment." is half a sentence: its reader has to find the noun in the name of the
 * function. A sentence says what the function does, or what is true of its result. `Of two requests, one succeeds.` is a sentence.
 */
const headless =
  /^\/\*\* (?<word>Of(?! two | several )|That of|Those|What|Whether|Which|Whoever) [^\n]*\*\/\n(?=(?:export )?(?:(?:async )?function|const \w+(?:: [^=\n]*)? = (?:async )?(?:<[^(\n]*>)?\())/gm

/** As `path:line: sentence`. */
export function headlessComments({ path, text }: SourceFile): readonly string[] {
  if (!/^(?:cli|domain|server\/src)\//.test(path) || isTest(path) || isForTests(path)) return []
  return [...text.matchAll(headless)].map(
    ({ groups, index }) =>
      `${path}:${lineAt(text, index)}: a comment begins with "${groups?.['word']}": say what the function does, such as "Lists the rows of one currency".`,
  )
}
