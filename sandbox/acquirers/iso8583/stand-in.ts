/**
 * A stand-in for an acquirer with a host of ISO 8583: two TCP lines, of the 1987 format for the live account and of the 1993 format for the test
 * account, and beside them HTTP with its ledger.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '#domain/json.ts'
import type { AccountName } from '../kit/accounts.ts'
import { now } from '../kit/clock.ts'
import { type OpenStandIn, openBase } from '../kit/stand-in.ts'
import { LineServer } from './line-server.ts'
import { type Item, PaymentRecord } from './record.ts'
import { type FormatName, HostFormat } from './wire-format.ts'

const formats: Readonly<Record<AccountName, FormatName>> = { live: 'iso1987-ascii', test: 'iso1993-binary' }

export const openIso8583: OpenStandIn = async (folder) => {
  const record = new PaymentRecord()
  const base = await openBase<Item>({
    folder,
    issue: (name) => ({ terminal: `T-${name}`.toUpperCase(), acceptor: `ACCEPTOR-${name}`.toUpperCase() }),
    apply: (item) => record.apply(item),
  })
  const { books, faults, accounts } = base
  const lineOf = (name: FormatName): LineServer =>
    new LineServer({
      format: new HostFormat(name),
      books,
      record,
      faults,
      accountOf: (terminal) => accounts.bySecret('terminal', terminal),
    })
  const lines = { live: lineOf(formats.live), test: lineOf(formats.test) }
  const known = await readPorts(folder)
  const ports = { live: await lines.live.listen(known.live), test: await lines.test.listen(known.test) }
  await writeFile(join(folder, 'ports.json'), JSON.stringify(ports))

  const credentialsOf = (name: AccountName) => ({
    host: '127.0.0.1',
    port: ports[name],
    encryption: 'plain',
    acquirer_id: '423935',
    terminal_id: accounts.byName(name)?.secrets.terminal,
    acceptor_id: accounts.byName(name)?.secrets.acceptor,
    mcc: '5661',
    city: 'Berlin',
    country: 'DE',
    dialect: formats[name],
    // It executes what it reads at once.
    executes_within_seconds: 1,
  })
  return {
    routes: [
      ...base.routes,
      [
        'POST /lines/drop',
        async () => {
          for (const line of Object.values(lines)) line.dropLines()
          return { status: 200, body: {} }
        },
      ],
    ],
    now,
    credentials: () => ({ live: credentialsOf('live'), test: credentialsOf('test') }),
    close: async () => {
      await Promise.all(Object.values(lines).map((line) => line.close()))
      await base.close()
    },
  }
}

/** The merchant has entered the ports, so that they stay the same. */
async function readPorts(folder: string): Promise<{ readonly live: number; readonly test: number }> {
  const text = await readFile(join(folder, 'ports.json'), 'utf8').catch(() => '{}')
  const stored: unknown = JSON.parse(text)
  const { live, test } = isObject(stored) ? stored : {}
  return { live: typeof live === 'number' ? live : 0, test: typeof test === 'number' ? test : 0 }
}
