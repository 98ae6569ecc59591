/** Words that no text for people has, in the panel, the command line, mails, pages and errors: they leave open who acts, or are not the trade's word. */
import { isTest, type SourceFile } from './source-files.ts'
import { keepKinds, tokensOf } from './tokens.ts'

const places = [
  'cli/',
  'sandbox/',
  'web/',
  'server/src/connectors/',
  'server/src/due/',
  'server/src/mail/',
  'server/src/panel/',
  'server/src/payments/',
  'server/src/setup/',
  'server/src/wallets/setup/',
  'server/src/protocols/admin/',
]
/** The audit log names the author of a sign-in without a user so; stored entries have it. */
const exceptedFile = 'server/src/panel/access/refused-sign-ins.ts'

// biome-ignore format: a table is read in columns.
const bannedPatterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:nobody|somebody|whoever)\b/i,        'name who acts: a user, the payer, the acquirer'],
  [/\bthe (?:wallet )?maker(?:’s|\b)(?! [a-z])/i, 'say wallet provider'],
  [/\b(?:this|other|both) sides?\b/i,         'say mode: live or test'],
  [/\b(?:taken|take|takes) (?:it )?back\b/i,  'say reversed, withdrawn or returned'],
  [/\bput off\b/i,                            'say deferred'],
  [/\b(?:look at it|dealt with|captured by itself|month before|things at risk|refused by check)\b/i, 'say what the button or figure is: View, Resolved, Automatic capture, Previous month'],
]

/** As `path:line: sentence`. Comments are not shown. */
export function complaintsAboutTexts({ path, text }: SourceFile): readonly string[] {
  if (isTest(path) || path === exceptedFile || !places.some((place) => path.startsWith(place))) return []
  return keepKinds(tokensOf(text), 'code', 'literal')
    .split('\n')
    .flatMap((line, index) =>
      bannedPatterns.flatMap(([pattern, instead]) => (pattern.test(line) ? [`${path}:${index + 1}: ${instead}.`] : [])),
    )
}
