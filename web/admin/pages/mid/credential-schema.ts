/** Reads the credentials of a connector from its JSON schema: fields, types, and which are required. */
import { entriesOf, memberOf } from '../../api/call.ts'

export interface CredentialField {
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  readonly kind: 'text' | 'secret' | 'lines' | 'number' | 'flag' | 'choice'
  readonly choices: readonly string[]
  readonly isRequired: boolean
}

export function credentialFields(schema: unknown): readonly CredentialField[] {
  const required = memberOf(schema, 'required')
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  return entriesOf(memberOf(schema, 'properties')).map(([name, property]) => {
    const choices = memberOf(property, 'enum')
    const title = memberOf(property, 'title')
    const hint = memberOf(property, 'description')
    return {
      name,
      label: typeof title === 'string' ? title : labelOf(name),
      hint: typeof hint === 'string' ? hint : undefined,
      kind: Array.isArray(choices) ? 'choice' : kindOf(property),
      choices: Array.isArray(choices) ? choices.map(String) : [],
      isRequired: names.includes(name),
    }
  })
}

/** The typed values in the types of the schema; empty optional ones are left out. */
export function credentialsOf(fields: readonly CredentialField[], typed: Readonly<Record<string, string>>) {
  const entries = fields.flatMap(({ name, kind, isRequired }): [string, string | number | boolean][] => {
    const text = (typed[name] ?? '').trim()
    if (text === '' && !isRequired) return []
    if (kind === 'number' && text !== '') return [[name, Number(text)]]
    return [[name, kind === 'flag' ? text === 'true' : text]]
  })
  return Object.fromEntries(entries)
}

function kindOf(property: unknown): CredentialField['kind'] {
  const type = memberOf(property, 'type')
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'flag'
  // A key of several lines cannot be typed into a field that hides it.
  if (memberOf(property, 'multiline') === true) return 'lines'
  return memberOf(property, 'writeOnly') === true ? 'secret' : 'text'
}

/** `base_url` becomes "Base URL". */
const labelOf = (name: string): string => {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(api|id|mid|tls|url)\b/g, (short) => short.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
