/**
 * Options and arguments as tables: each row says how it is spelled, what it accepts and how its text is read; parsing, checks and help use
 * that row. Only options that were given become members of the result, so a change can be spread over the value it changes.
 */

import { parseArgs } from 'node:util'
import { accept, type Reading } from '#domain/reading.ts'
import { UsageError } from './command-error.ts'
import { suggestion } from './nearest.ts'
import { anyText, type Reader } from './readers.ts'

export interface Option<T> {
  readonly takes: 'nothing' | 'one' | 'several'
  readonly placeholder: string
  readonly help: string
  /** The spelling after `--`, if it is not the name in kebab-case. */
  readonly flag: string | null
  /** The value of `--no-…`; null if that form does not exist. */
  readonly negated: { readonly value: T } | null
  readonly read: (texts: readonly string[]) => Reading<T>
}

export type Options = Readonly<Record<string, Option<unknown>>>
export type OptionValues<O extends Options> = {
  readonly [Name in keyof O]?: O[Name] extends Option<infer T> ? T : never
}

export const flag = (help: string): Option<boolean> => ({
  takes: 'nothing',
  placeholder: '',
  help,
  flag: null,
  negated: null,
  read: () => accept(true),
})

/** `--moto` and `--no-moto`. */
export const toggle = (help: string): Option<boolean> => ({ ...flag(help), negated: { value: false } })

export const value = <T = string>(placeholder: string, help: string, reader: Reader<T>): Option<T> => ({
  takes: 'one',
  placeholder,
  help,
  flag: null,
  negated: null,
  read: (texts) => reader(texts.at(-1) ?? ''),
})

export const text = (placeholder: string, help: string): Option<string> => value(placeholder, help, anyText)

/** May be given several times, or once with commas. */
export const list = <T = string>(placeholder: string, help: string, reader: Reader<T>): Option<readonly T[]> => ({
  takes: 'several',
  placeholder,
  help,
  flag: null,
  negated: null,
  read: (texts) => {
    const values: T[] = []
    for (const one of texts.flatMap((part) => part.split(',')).map((part) => part.trim())) {
      const reading = reader(one)
      if (!reading.ok) return reading
      values.push(reading.value)
    }
    return accept(values)
  },
})

/** May be given several times; commas are part of the values. */
export const repeatedOption = (placeholder: string, help: string): Option<readonly string[]> => ({
  takes: 'several',
  placeholder,
  help,
  flag: null,
  negated: null,
  read: (texts) => accept(texts),
})

/** Also accepts `--no-…`, which removes the setting. */
export const orNone = <T>(option: Option<T>): Option<T | null> => ({ ...option, negated: { value: null } })

/** Also accepts `--no-…`, which empties the list. */
export const orEmpty = <T>(option: Option<readonly T[]>): Option<readonly T[]> => ({
  ...option,
  negated: { value: [] },
})

/** The options for creating something: without `--no-…`, because there is nothing to remove yet. */
export function asNew<O extends Options>(options: O): O {
  const rows = Object.entries(options).map(([name, option]) => {
    const takesAway = option.negated && option.takes !== 'nothing'
    return [name, takesAway ? { ...option, negated: null } : option] as const
  })
  // The rows and their names are unchanged, only `negated` is dropped, so the type stays the same.
  return Object.fromEntries(rows) as O
}

export const withFlag = <T>(as: string, option: Option<T>): Option<T> => ({ ...option, flag: as })

interface Argument<T> {
  readonly placeholder: string
  readonly takes: 'one' | 'one-or-none' | 'any'
  readonly read: (texts: readonly string[]) => Reading<T>
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>
export type ArgumentValues<A extends Arguments> = {
  readonly [Name in keyof A]: A[Name] extends Argument<infer T> ? T : never
}

export const argument = <T = string>(placeholder: string, reader: Reader<T>): Argument<T> => ({
  placeholder,
  takes: 'one',
  read: (texts) => reader(texts[0] ?? ''),
})

export const optionalArgument = <T = string>(placeholder: string, reader: Reader<T>): Argument<T | null> => ({
  placeholder,
  takes: 'one-or-none',
  read: ([text]) => (text === undefined ? accept(null) : reader(text)),
})

export const anyArguments = (placeholder: string): Argument<readonly string[]> => ({
  placeholder,
  takes: 'any',
  read: (texts) => accept(texts),
})

/** `notificationUrl` → `notification-url`, unless the row has its own spelling. */
export const flagOf = (name: string, option: Option<unknown>): string =>
  option.flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

interface CommandLine<A extends Arguments, O extends Options> {
  readonly args: ArgumentValues<A>
  readonly options: OptionValues<O>
}

export function parseCommandLine<A extends Arguments, O extends Options>(
  argv: readonly string[],
  spec: { readonly args: A; readonly options: O },
): CommandLine<A, O> {
  const spellings = spellingsOf(spec.options)
  const { positionals, optionTokens } = sortTokens(argv, spellings)
  const options = Object.entries(spec.options).flatMap(([name, option]) => {
    const found = optionTokens.filter((one) => one.spelling.name === name)
    return found.length === 0 ? [] : [[name, optionValue(flagOf(name, option), option, found)] as const]
  })
  // The results have the same keys as the tables, and each value was read by its own row; the compiler sees only records.
  return { args: argumentValues(positionals, spec.args), options: Object.fromEntries(options) } as CommandLine<A, O>
}

interface Spelling {
  readonly name: string
  readonly takesValue: boolean
  readonly negates: boolean
}

interface OptionToken {
  readonly spelling: Spelling
  readonly text: string
}

function spellingsOf(options: Options): ReadonlyMap<string, Spelling> {
  const spellings = new Map<string, Spelling>()
  for (const [name, option] of Object.entries(options)) {
    const flagName = flagOf(name, option)
    spellings.set(flagName, { name, takesValue: option.takes !== 'nothing', negates: false })
    if (option.negated) spellings.set(`no-${flagName}`, { name, takesValue: false, negates: true })
  }
  return spellings
}

/** Not the strict mode of `parseArgs`: its messages neither suggest the nearest option nor point to the help. */
function sortTokens(
  argv: readonly string[],
  spellings: ReadonlyMap<string, Spelling>,
): { readonly positionals: readonly string[]; readonly optionTokens: readonly OptionToken[] } {
  const types = [...spellings].map(
    ([name, { takesValue }]) => [name, { type: takesValue ? 'string' : 'boolean' }] as const,
  )
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const positionals: string[] = []
  const optionTokens: OptionToken[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind === 'option') optionTokens.push(readOptionToken(token, spellings))
  }
  return { positionals, optionTokens }
}

function readOptionToken(
  token: {
    readonly name: string
    readonly rawName: string
    readonly value?: string | undefined
    readonly inlineValue?: boolean | undefined
  },
  spellings: ReadonlyMap<string, Spelling>,
): OptionToken {
  const spelling = spellings.get(token.name)
  if (!spelling) {
    throw usageError(`There is no option ${token.rawName}.${suggestion(token.name, [...spellings.keys()])}`)
  }
  if (!spelling.takesValue && token.value !== undefined) throw usageError(`${token.rawName} takes no value.`)
  // A value that begins with `--` is almost certainly the next option, so this one's value is missing.
  const swallowed = token.inlineValue !== true && token.value?.startsWith('--')
  if (spelling.takesValue && (token.value === undefined || swallowed))
    throw usageError(`${token.rawName} needs a value.`)
  return { spelling, text: token.value ?? '' }
}

function optionValue(flagName: string, option: Option<unknown>, found: readonly OptionToken[]): unknown {
  const negations = found.filter(({ spelling }) => spelling.negates)
  if (negations.length > 0 && option.negated) {
    if (negations.length < found.length) throw usageError(`--${flagName} and --no-${flagName} cannot be combined.`)
    return option.negated.value
  }
  if (option.takes === 'one' && found.length > 1) throw usageError(`--${flagName} may be given only once.`)
  const reading = option.read(found.map(({ text }) => text))
  if (!reading.ok) throw usageError(`--${flagName} must be ${reading.allowed}.`)
  return reading.value
}

function argumentValues(positionals: readonly string[], args: Arguments): Readonly<Record<string, unknown>> {
  const left = [...positionals]
  const values = Object.entries(args).map(([name, { placeholder, takes, read }]) => {
    const texts = left.splice(0, takes === 'any' ? left.length : 1)
    if (takes === 'one' && texts.length === 0) throw usageError(`${placeholder} is missing.`)
    const reading = read(texts)
    if (!reading.ok) throw usageError(`${placeholder} must be ${reading.allowed}.`)
    return [name, reading.value] as const
  })
  if (left.length > 0) throw usageError(`Unexpected argument: ${left.join(' ')}.`)
  return Object.fromEntries(values)
}

/** The command adds the pointer to its help as the remedy. */
const usageError = (message: string): UsageError => new UsageError(message, '')
