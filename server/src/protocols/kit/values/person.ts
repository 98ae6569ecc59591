/** Names with the prefix of a person's fields that are not such fields. */
const otherPayerParameters = new Set(['payer_ip', 'payer_language', 'payer_present', 'payer_return_url'])

/** The fields of a payer or payee, stored by the wire's names without their prefix. */
export function personIn(prefix: 'payer_' | 'payee_', input: object): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const name of Object.keys(input)) {
    if (!name.startsWith(prefix) || otherPayerParameters.has(name)) continue
    const value: unknown = Reflect.get(input, name)
    if (typeof value === 'string') fields[name.slice(prefix.length)] = value
  }
  return fields
}
