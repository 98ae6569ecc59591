/**
 * The statements of a SALE as a script of pgbench.
 *
 * Parameters stay parameters, so that the server gets, parses and checks what it gets from the gateway: `$3` becomes a variable of pgbench,
 * which in its prepared mode becomes a parameter again. pgbench makes a parameter of its own of each occurrence, so each is cast to the type
 * that the server found for the original. Variables can be neither null nor empty; such values are written into the statement.
 *
 * Fresh identifiers cost the database no statement and hardly any work. pgbench counts, and the server puts a constant before the count:
 * 13 hexadecimal digits (the time at which the run began, and the version 7) and 19 decimal digits are the 32 digits of a UUID. Like those of
 * the gateway they grow with time, so that indexes grow at their end.
 */
import type { SaleStatements, Statement } from './statements.ts'

export interface PgbenchScript {
  readonly text: string
  /** Given to pgbench by `--define`. */
  readonly variables: Readonly<Record<string, string>>
}

interface ScriptOptions {
  /** For each statement, the types of its parameters by the server. */
  readonly types: readonly (readonly string[])[]
  readonly connections: number
  /** Of the beginning of the run, since 1970. */
  readonly milliseconds: number
}

export function pgbenchScript(
  sale: SaleStatements,
  { types, connections, milliseconds }: ScriptOptions,
): PgbenchScript {
  const prefix = `${Math.floor(milliseconds).toString(16).padStart(12, '0')}7`
  const variables = new Map([['payments', '0']])
  const texts = sale.statements.map((statement, index) => {
    requireNoVariable(statement)
    const fresh = new Map(statement.fresh)
    return statement.text.replaceAll(/\$(\d+)\b/g, (_, number: string) => {
      const place = Number(number) - 1
      const type = types[index]?.[place] ?? 'text'
      const identifier = fresh.get(place)
      if (identifier !== undefined) return `(('${prefix}' || :id${identifier}::text)::uuid::${type})`
      const value = textOfValue(statement.values[place])
      if (value === null) return `(null::${type})`
      if (value === '') return `(''::${type})`
      const name = `value${index}_${place}`
      variables.set(name, value)
      return `(:${name}::${type})`
    })
  })
  const lines = [...identifierLines(sale.identifiers, connections), ...texts.map((text) => `${text.trim()};`)]
  return { text: `${lines.join('\n')}\n`, variables: Object.fromEntries(variables) }
}

/** The first four of the 19 digits: three of an UUID's random part, and the variant. */
const firstIdentifier = '1008000000000000000'

/** Clients count in step, so that identifiers of all of them together are nearly in order. */
function identifierLines(identifiers: number, connections: number): readonly string[] {
  const ofPayment = `(:payments * ${connections} + :client_id) * ${identifiers}`
  return [
    '\\set payments :payments + 1',
    ...Array.from(
      { length: identifiers },
      (_, index) => `\\set id${index} ${firstIdentifier} + ${ofPayment} + ${index}`,
    ),
  ]
}

function requireNoVariable({ name, text }: Statement): void {
  const [found] = /(?<![:\w]):\w+/.exec(text) ?? []
  if (found !== undefined) throw new Error(`pgbench would take ${found} in the statement ${name} for a variable.`)
}

/** As the gateway's driver sends it. */
export function textOfValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(elementText).join(',')}}`
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

function elementText(value: unknown): string {
  if (Array.isArray(value)) return textOfValue(value) ?? ''
  const text = textOfValue(value)
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
