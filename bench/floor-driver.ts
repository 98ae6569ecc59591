/**
 * The floor: the durable writes of a SALE without an application, from a separate process. Run as `node bench/floor-driver.ts <database
 * url> <file of records> <connections> <seconds> <statements>`; prints one line of JSON.
 */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { uuid7 } from '#server/process/ids.ts'
import { readRecords, type Statement, saleStatements } from './statements.ts'

const [url = '', file = '', connections = '16', seconds = '5', most = '99'] = process.argv.slice(2)

const sale = saleStatements(readRecords(file))
const statements = sale.statements.slice(0, Number(most))
const clients = Array.from(
  { length: Number(connections) },
  () => new Client({ connectionString: url, application_name: 'floor' }),
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
        const identifiers = Array.from({ length: sale.identifiers }, freshId)
        for (const statement of statements) await client.query(bindIdentifiers(statement, identifiers))
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
