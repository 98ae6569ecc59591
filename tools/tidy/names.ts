/** Names of declarations. The code uses the trade's words, which a new engineer knows; each word below had a private meaning here. */
import { functionsIn } from './functions.ts'
import { lineAt, type SourceFile } from './source-files.ts'

interface BannedWord {
  readonly word: string
  /** `part` bans it as one word of a longer name, too. */
  readonly as: 'whole' | 'part'
  readonly instead: string
}

const part = (word: string, instead: string): BannedWord => ({ word, as: 'part', instead: `say ${instead}` })
const whole = (word: string, instead: string): BannedWord => ({ word, as: 'whole', instead: `say ${instead}` })
/** A bare participle says what happened to a value, and not what the value is. */
const participle = (word: string): BannedWord => ({
  word,
  as: 'whole',
  instead: 'name a value by a noun, a function by a verb, a condition as a question',
})

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

/** By the banned word, as `path:line: sentence`. */
export function bannedNames({ path, code }: SourceFile): readonly (readonly [word: string, complaint: string])[] {
  return declaredNames(code).flatMap(({ name, index }) => {
    const words = name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())
    return bannedWords
      .filter(({ word, as }) => words.includes(word) && (as === 'part' || words.length === 1))
      .map(({ word, instead }) => [word, `${path}:${lineAt(code, index)}: ${name}; ${instead}.`] as const)
  })
}
