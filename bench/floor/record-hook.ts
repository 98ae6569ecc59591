/** Loaded into an api process by `node --import`: records every named statement in the file named in this module's address. */
import { appendFileSync } from 'node:fs'
import { serialize } from 'node:v8'
import pg from 'pg'
import { z } from 'zod'

const namedSchema = z.object({ name: z.string(), text: z.string(), values: z.array(z.unknown()) })
const file = new URL(import.meta.url).searchParams.get('file') ?? ''
// oxlint-disable-next-line typescript/unbound-method -- Applied below to whichever client it is called on.
const original = pg.Client.prototype.query

pg.Client.prototype.query = function record(this: pg.Client, ...parameters: unknown[]) {
  const { data: statement } = namedSchema.safeParse(parameters[0])
  if (statement) append(statement)
  return Reflect.apply(original, this, parameters)
} as typeof original // The driver's signature has a dozen overloads, which all pass through unchanged.

function append(record: object): void {
  const bytes = serialize(record)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  appendFileSync(file, Buffer.concat([length, bytes]))
}
