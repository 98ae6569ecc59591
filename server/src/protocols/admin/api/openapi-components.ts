/** The named schemas of the OpenAPI document, collected while its operations are written. */
import { z } from 'zod'
import { schemaNames } from './documented.ts'
import { documentedValues } from './documented-values.ts'

type Schema = Readonly<Record<string, unknown>>
type Direction = 'input' | 'output'

export class Components {
  readonly #schemas = new Map<string, Schema>()
  readonly #values = documentedValues()

  /** The schema of a body or an answer, under the name of its operation or under its own. */
  nameSchema(name: string, schema: z.core.$ZodType, io: Direction): Schema {
    const own = schemaNames.get(schema)?.name
    if (own !== undefined) return this.#referTo(own, schema, io)
    const written = this.schemaOf(schema, io)
    this.#schemas.set(name, written)
    return refTo(name)
  }

  schemaOf(schema: z.core.$ZodType, io: Direction): Schema {
    const { $schema: _, ...written } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const { type } = zodSchema._zod.def
        if (type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
        if (type === 'bigint') Object.assign(jsonSchema, { type: 'string', pattern: '^-?[0-9]+$' })
        const name = schemaNames.get(zodSchema)?.name
        if (name === undefined || zodSchema === schema) return
        for (const member of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, member)
        Object.assign(jsonSchema, this.#referTo(name, zodSchema, io))
      },
    })
    return written
  }

  listUsed(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }

  #referTo(name: string, schema: z.core.$ZodType, io: Direction): Schema {
    if (!this.#schemas.has(name)) this.#schemas.set(name, this.#values[name] ?? this.schemaOf(schema, io))
    return refTo(name)
  }
}

const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
