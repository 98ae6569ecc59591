/** Words that no text for people has, in the panel, the command line, mails, pages, errors and documents: they leave open who acts, or are not the trade's word. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isForTests, isTest, root, type SourceFile } from './source-files.ts'
import { keepKinds, tokensOf } from './tokens.ts'

const places = [
  'cli/',
  'client/',
  'domain/src/',
  'sandbox/',
  'web/',
  'server/src/connectors/',
  'server/src/due/',
  'server/src/demo/',
  'server/src/health/',
  'server/src/live-guard/',
  'server/src/mail/',
  'server/src/panel/',
  'server/src/payments/',
  'server/src/process/',
  'server/src/setup/',
  'server/src/start/',
  'server/src/store/',
  'server/src/wallets/accounts/',
  'server/src/wallets/setup/',
  'server/src/protocols/admin/',
]
const exceptedFiles: ReadonlySet<string> = new Set([
  // The audit log names the author of a sign-in without a user so; stored entries have it.
  'server/src/panel/access/refused-sign-ins.ts',
  // An account of the machine has this name.
  'server/src/store/database/embedded/account.ts',
])

// biome-ignore format: a table is read in columns.
const bannedPatterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:nobody|somebody|whoever)\b/i,        'name who acts: a user, the payer, the acquirer'],
  [/\bthe (?:wallet )?maker(?:’s|\b)(?! [a-z])/i, 'say wallet provider'],
  [/\b(?:this|other|both) sides?\b/i,         'say mode: live or test'],
  [/\b(?:taken|take|takes) (?:it )?back\b/i,  'say reversed, withdrawn or returned'],
  [/\bput off\b/i,                            'say deferred'],
  [/(?<!\bthere )\bis no (?!longer\b|such\b|more\b)[a-z]/i, 'say is not a'],
  [/\b(?:is|are|was|were|be) told\b/i,        'say notified'],
  [/\b(?:look at it|dealt with|captured by itself|month before|things at risk|refused by check)\b/i, 'say what the button or figure is: View, Resolved, Automatic capture, Previous month'],
]

const isCheckedDocument = (path: string): boolean =>
  path.startsWith('docs/operations/') ||
  path.startsWith('docs/guide/') ||
  path.startsWith('docs/decisions/') ||
  path.startsWith('deploy/')

/** Files that operators copy and edit, with their comments. */
export function deployedFiles(): readonly string[] {
  return readdirSync(`${root}deploy`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
}

/** As `path:line: sentence`. Code and the addresses of links are not prose. */
export const complaintsAboutDocument = (path: string, text: string): readonly string[] =>
  isCheckedDocument(path) ? complaintsAboutProse(path, proseOf(text)) : []

const proseOf = (markdown: string): string =>
  markdown.replace(/^```[\s\S]*?^```|`[^`\n]*`|\]\([^)\n]*\)/gm, (code) => code.replace(/[^\n]/g, ''))

/** As `path:line: sentence`. Comments are not shown. */
export function complaintsAboutTexts({ path, text }: SourceFile): readonly string[] {
  if (isTest(path) || isForTests(path) || exceptedFiles.has(path) || !places.some((place) => path.startsWith(place)))
    return []
  return complaintsAboutProse(path, keepKinds(tokensOf(text), 'code', 'literal'))
}

const complaintsAboutProse = (path: string, prose: string): readonly string[] =>
  prose
    .split('\n')
    .flatMap((line, index) =>
      bannedPatterns.flatMap(([pattern, instead]) => (pattern.test(line) ? [`${path}:${index + 1}: ${instead}.`] : [])),
    )
