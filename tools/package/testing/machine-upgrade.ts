/** A newer package, installed over the one that runs, and payments before, meanwhile and afterwards. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BootedRoot } from './booted-root.ts'
import { saleForm } from './instance-in-root.ts'

const runFile = promisify(execFile)
const migrationFolder = 'usr/lib/gatehouse/server/src/store/migrations'
const card = { email: 'doe@example.com', card_number: '4111111111111111' }

/** What the additional migration of a newer release does. */
export const migrations = {
  fails: 'select 1 / 0;',
  // Long enough for a payment meanwhile on a busy machine.
  takesItsTime: 'select pg_sleep(20);\ncreate table newer (id int);',
}

/** Writes the same release with a higher version and one more migration. */
export async function makeNewerDeb(
  deb: string,
  file: string,
  { suffix, migration }: { readonly suffix: string; readonly migration: string },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-newer-'))
  try {
    await runFile('dpkg-deb', ['--raw-extract', deb, folder])
    const control = join(folder, 'DEBIAN/control')
    await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*$/m, `$&+${suffix}`))
    const earlier = (await readdir(join(folder, migrationFolder))).filter((name) => name.endsWith('.sql'))
    const number = String(earlier.length + 1).padStart(4, '0')
    await writeFile(join(folder, migrationFolder, `${number}_${suffix}.sql`), migration)
    await runFile('dpkg-deb', ['--root-owner-group', '-Znone', '--build', folder, file])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A second database, because a live instance stays one; its acquirer is the sandbox. */
export async function turnIntoSandbox(machine: BootedRoot): Promise<void> {
  await machine.run(`
    runuser -u postgres -- createdb --owner=gatehouse sandbox
    systemd-run --unit=sandbox --uid=gatehouse --gid=gatehouse --working-directory=/usr/lib/gatehouse \\
      --setenv=SANDBOX_PORT=8090 --setenv=SANDBOX_DATA=/var/lib/gatehouse/sandbox \\
      /usr/lib/gatehouse/runtime/node programs/sandbox.mjs
    sed -i -e 's|^GATEHOUSE_MODE=.*|GATEHOUSE_MODE=sandbox|' -e 's|^\\(DATABASE_URL=.*\\)/gatehouse$|\\1/sandbox|' /etc/gatehouse/gatehouse.env
    echo 'SANDBOX_URL=http://127.0.0.1:8090' >> /etc/gatehouse/gatehouse.env
    systemctl restart gatehouse-api gatehouse-worker`)
}

/** Signs once for all payments: while a package is installed, its command waits for its schema. */
export async function payerOn(machine: BootedRoot): Promise<(orderId: string) => Promise<void>> {
  const { key } = JSON.parse(await machine.run('gatehouse merchant show demo --json'))
  const signed = Object.entries(card).map(([name, value]) => `${name}=${value}`)
  const hash = (await machine.run(`gatehouse sign card.start ${signed.join(' ')} --merchant demo`)).trim()
  return async (orderId) => {
    const form = saleForm({ client_key: key, hash, order_id: orderId })
    const answer = await machine.run(
      `curl --silent --show-error --data '${form.toString()}' http://127.0.0.1:8080/post`,
    )
    assert.match(answer, /"result":"SUCCESS","status":"SETTLED"/, answer)
  }
}

/** The processes of systemd's own, by their units. */
export const mainPids = async (machine: BootedRoot): Promise<readonly string[]> =>
  (await machine.run('systemctl show --property=MainPID --value gatehouse-api gatehouse-worker')).trim().split(/\n+/)

export const isMigrating = async (machine: BootedRoot): Promise<boolean> => {
  const asleep = `select count(*) from pg_stat_activity where wait_event = 'PgSleep'`
  return (
    (await machine.run(`runuser -u postgres -- psql --no-align --tuples-only --command "${asleep}"`)).trim() === '1'
  )
}
