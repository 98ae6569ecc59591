/**
 * The floor without pgbench: the same statements, sent by a Node process. Run as `node bench/floor/node-driver.ts <file of statements>
 * <connections> <seconds>` with the address of the database in DATABASE_URL; prints one line of JSON.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { Client } from 'pg'
import { uuid7 } from '#server/process/ids.ts'
import { sessionSettings } from './session-settings.ts'
import type { SaleStatements, Statement } from './statements.ts'

const [file = '', connections = '16', seconds = '5'] = process.argv.slice(2)

// Only `floor.ts` writes the file.
const { statements, identifiers } = deserialize(readFileSync(file)) as SaleStatements
const clients = Array.from(
  { length: Number(connections) },
  () =>
    new Client({
      connectionString: process.env['DATABASE_URL'],
      application_name: 'floor',
      options: sessionSettings,
    }),
)
await Promise.all(clients.map((client) => client.connect()))

let payments = 0
const warmUpMs = 1_000
await runFor(warmUpMs)
const warmUp = payments
payments = 0
const idle = process.cpuUsage()
const begun = performance.now()
await runFor(Number(seconds) * 1000)
const took = (performance.now() - begun) / 1000
const { user, system } = process.cpuUsage(idle)
await Promise.all(clients.map((client) => client.end()))
process.stdout.write(`${JSON.stringify({ payments, warmUp, seconds: took, cpuSeconds: (user + system) / 1e6 })}\n`)

async function runFor(milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const fresh = Array.from({ length: identifiers }, freshId)
        for (const statement of statements) await client.query(bindIdentifiers(statement, fresh))
        payments += 1
      }
    }),
  )
}

function bindIdentifiers({ name, text, values, fresh }: Statement, identifiers: readonly string[]) {
  const own = [...values]
  for (const [place, identifier] of fresh) own[place] = identifiers[identifier]
  return { name, text, values: own }
}

/** Ordered by time like the gateway's own ids, so that the indexes grow at the same end. */
function freshId(): string {
  return uuid7(performance.timeOrigin + performance.now(), randomBytes(10))
}
