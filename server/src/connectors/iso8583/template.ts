/**
 * How a dialect says what stands in a field: a text with names in braces.
 *
 * `{amount}` is the value as it is, `{acquirerId:011}` has zeros in front up to 11 characters, `{descriptor:<25}` is padded with spaces or cut to
 * 25. A text with a name that has no value in this message is left out, and with it its field, unless a question mark says that the value may be
 * missing: `{forwarderId?:011}`.
 */

/** Every value that a dialect may name. Those of the original are known in messages about an earlier one. */
const valueNames = [
  'pan',
  'expiry',
  'cvv',
  'amount',
  'currency',
  'stan',
  'transmitted',
  'localTime',
  'localDate',
  'localDateTime',
  'rrn',
  'reference',
  'transactionId',
  'acquirerId',
  'forwarderId',
  'terminalId',
  'acceptorId',
  'descriptor',
  'city',
  'country',
  'mcc',
  'posEntry',
  'posCondition',
  'credentialUse',
  'networkTransactionId',
  'eci',
  'cavv',
  'cavvHex',
  'dsTransId',
  'threeDsVersion',
  'cryptogram',
  'cryptogramHex',
  'emvHex',
  'original.mti',
  'original.stan',
  'original.transmitted',
  'original.localDateTime',
  'original.rrn',
  'original.amount',
  'original.approvalCode',
] as const
export type ValueName = (typeof valueNames)[number]
export type Values = Partial<Readonly<Record<ValueName, string>>>

/** A field that may hold one of these reaches no log. */
export const secretNames: ReadonlySet<string> = new Set<ValueName>([
  'pan',
  'expiry',
  'cvv',
  'cavv',
  'cavvHex',
  'cryptogram',
  'cryptogramHex',
  'emvHex',
])

const placeholder = /\{(?<name>[A-Za-z0-9.]+)(?<optional>\??)(?::(?<fill>[0<])(?<width>[0-9]{1,3}))?\}/g

const known: ReadonlySet<string> = new Set(valueNames)
const isValueName = (name: string): name is ValueName => known.has(name)

export function namesIn(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map(({ groups }) => groups?.name ?? '')
}

/** The fault of the text, or null. */
export function templateFault(template: string): string | null {
  const unknown = namesIn(template).find((name) => !isValueName(name))
  if (unknown !== undefined) return `There is no value "${unknown}".`
  return /[{}]/.test(template.replace(placeholder, '')) ? 'A brace is not part of a name.' : null
}

/** Null if a name has no value. */
type Template = (values: Values) => string | null

/** Reads the text once, for any number of messages. */
export function compileTemplate(template: string): Template {
  const parts: Template[] = []
  let at = 0
  for (const match of template.matchAll(placeholder)) {
    const literal = template.slice(at, match.index)
    if (literal !== '') parts.push(() => literal)
    parts.push(compilePlaceholder(match.groups ?? {}))
    at = match.index + match[0].length
  }
  const rest = template.slice(at)
  const [first] = parts
  if (first && parts.length === 1 && rest === '') return first
  return (values) => {
    let text = ''
    for (const part of parts) {
      const value = part(values)
      if (value === null) return null
      text += value
    }
    return text + rest
  }
}

function compilePlaceholder({ name = '', optional, fill, width }: Readonly<Record<string, string>>): Template {
  const missing = optional === '?' ? '' : null
  const valueIn = (values: Values): string | null => (isValueName(name) ? values[name] : undefined) ?? missing
  if (fill === undefined) return valueIn
  const length = Number(width)
  const fit = (value: string): string =>
    fill === '0' ? value.padStart(length, '0') : value.slice(0, length).padEnd(length)
  return (values) => {
    const value = valueIn(values)
    return value === null ? null : fit(value)
  }
}
