/** What is wrong with a dialect whose parts have the right form: each fault names its place and says what to change. */
import type { FieldFormat } from './codec/field.ts'
import { templateFault } from './template.ts'

type Templates = Readonly<Record<string, string | Readonly<Record<string, string>>>>

interface MessageParts {
  readonly mti: string
  readonly repeat?: string | undefined
  readonly with?: readonly string[] | undefined
  readonly fields?: Templates | undefined
}

interface DialectParts {
  readonly fields: Readonly<Record<string, FieldFormat>>
  readonly subfields: Readonly<Record<string, { readonly tag: number; readonly length: number }>>
  readonly groups: Readonly<Record<string, Templates>>
  readonly messages: Readonly<Record<string, MessageParts | undefined>>
  readonly matchBy: readonly number[]
  readonly answer: { readonly code: number; readonly amount: number } & Readonly<Record<string, unknown>>
  readonly codes: Readonly<Record<string, { readonly outcome: string }>>
}

export function dialectFaults(dialect: DialectParts): readonly string[] {
  const named = [
    ...Object.entries(dialect.groups).map(([name, fields]) => [`groups.${name}`, fields] as const),
    ...messagesOf(dialect).map(([name, { fields = {} }]) => [`messages.${name}.fields`, fields] as const),
  ]
  return [
    ...Object.entries(dialect.fields).flatMap(([number, format]) => formatFaults(number, format)),
    ...named.flatMap(([place, templates]) => templatesFaults(dialect, place, templates)),
    ...messagesOf(dialect).flatMap(([name, message]) => messageFaults(dialect, name, message)),
    ...placeFaults(dialect),
    ...Object.keys(dialect.subfields).flatMap((number) => formatMissing(dialect, `subfields.${number}`, number)),
    ...(Object.values(dialect.codes).some(({ outcome }) => outcome === 'approved')
      ? []
      : ['codes: No code is an approval.']),
  ]
}

const messagesOf = ({ messages }: DialectParts): readonly (readonly [string, MessageParts])[] =>
  Object.entries(messages).flatMap(([name, message]) => (message ? [[name, message] as const] : []))

// biome-ignore format: a table is read in columns.
const encodingsOf: Readonly<Record<FieldFormat['type'], readonly string[]>> = {
  n:   ['ascii', 'bcd'],
  an:  ['ascii'],
  ans: ['ascii'],
  b:   ['binary', 'hex'],
}

function formatFaults(number: string, { type, length, prefix, encoding }: FieldFormat): readonly string[] {
  const place = `fields.${number}`
  if (!/^(?:[2-9]|[1-9][0-9]|1[01][0-9]|12[0-8])$/.test(number)) return [`${place}: Fields have numbers from 2 to 128.`]
  const longest = prefix === undefined ? length : 10 ** prefix - 1
  return [
    ...(length > longest ? [`${place}: A prefix of ${prefix} digits cannot say a length of ${length}.`] : []),
    ...(encoding !== undefined && !encodingsOf[type].includes(encoding)
      ? [`${place}: The encoding of type ${type} must be ${encodingsOf[type].join(' or ')}.`]
      : []),
  ]
}

function templatesFaults(dialect: DialectParts, place: string, templates: Templates): readonly string[] {
  return Object.entries(templates).flatMap(([number, template]) => {
    const at = `${place}.${number}`
    const missing = formatMissing(dialect, at, number)
    if (typeof template === 'string') return [...missing, ...textFaults(at, template)]
    const format = dialect.subfields[number]
    const elements = Object.entries(template)
    return [
      ...missing,
      ...(format ? [] : [`${at}: Say in subfields.${number} how its elements are written.`]),
      ...elements.flatMap(([tag, text]) => [
        ...(format && tag.length !== format.tag ? [`${at}.${tag}: A tag has ${format.tag} characters.`] : []),
        ...textFaults(`${at}.${tag}`, text),
      ]),
    ]
  })
}

const textFaults = (place: string, text: string): readonly string[] => {
  const fault = templateFault(text)
  return fault === null ? [] : [`${place}: ${fault}`]
}

function messageFaults({ groups }: DialectParts, name: string, message: MessageParts): readonly string[] {
  const place = `messages.${name}`
  return [
    ...(message.with ?? [])
      .filter((group) => !groups[group])
      .map((group) => `${place}.with: There is no group "${group}".`),
    ...[message.mti, message.repeat ?? message.mti]
      .filter((mti, index, all) => Number(mti[2]) % 2 === 1 && all.indexOf(mti) === index)
      .map((mti) => `${place}: ${mti} is the type of an answer.`),
  ]
}

/** Where the host's values stand, and by which fields an answer is matched. */
function placeFaults(dialect: DialectParts): readonly string[] {
  return [
    ...dialect.matchBy.flatMap((number) => formatMissing(dialect, 'matchBy', String(number))),
    ...Object.entries(dialect.answer).flatMap(([name, place]) => {
      const [number = '', tag] = String(place).split('.')
      const at = `answer.${name}`
      if (tag !== undefined && !dialect.subfields[number])
        return [`${at}: Say in subfields.${number} how its elements are written.`]
      return formatMissing(dialect, at, number)
    }),
  ]
}

const formatMissing = ({ fields }: DialectParts, place: string, number: string): readonly string[] =>
  fields[number] ? [] : [`${place}: Say in fields.${number} how the field is written.`]
