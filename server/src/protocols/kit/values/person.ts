/** Names that begin like a person's fields and are none. */
const notOfThePerson = new Set(['payer_ip', 'payer_language', 'payer_present', 'payer_return_url'])

/** The fields of a payer or payee, stored by the wire's names without their prefix. */
export function person(prefix: 'payer_' | 'payee_', input: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name.startsWith(prefix) && !notOfThePerson.has(name) && typeof value === 'string'
        ? [[name.slice(prefix.length), value]]
        : [],
    ),
  )
}
