/**
 * Dumps the database of DATABASE_URL into the folder that is given, verifies that the dump can be read, and deletes dumps older than two
 * weeks. Verification codes are left out (PCI DSS 3.3). The password goes to pg_dump by its environment: every user can see arguments.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'pg-connection-string'

const storedDays = 14
const [folder] = process.argv.slice(2)
const { DATABASE_URL } = process.env
if (folder === undefined || !DATABASE_URL) stop('Set DATABASE_URL and give the folder of the dumps.')

const { host, port, user, password, database, ssl } = parse(DATABASE_URL)
const [, sslMode] = /[?&]sslmode=([a-z-]+)/.exec(DATABASE_URL) ?? []
const environment = {
  PATH: process.env.PATH,
  PGHOST: host ?? undefined,
  PGPORT: port || undefined,
  PGUSER: user,
  PGPASSWORD: password,
  PGDATABASE: database,
  PGSSLMODE: sslMode ?? (ssl ? 'require' : undefined),
}

const dump = join(folder, `gatehouse-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.dump`)
run('pg_dump', ['--format=custom', '--exclude-table-data=session_codes', `--file=${dump}.part`])
run('pg_restore', ['--list', `${dump}.part`])
renameSync(`${dump}.part`, dump)
process.stdout.write(`${dump}: ${statSync(dump).size} bytes\n`)
for (const name of readdirSync(folder).filter((file) => /^gatehouse-.*\.dump(?:\.part)?$/.test(file))) {
  const ageDays = (Date.now() - statSync(join(folder, name)).mtimeMs) / 86_400_000
  if (ageDays > storedDays) rmSync(join(folder, name))
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  if (error?.code === 'ENOENT') stop(`${program} was not found. Install postgresql-client.`)
  if (status !== 0) stop(`${program} failed. No dump was written.`)
}

function stop(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
