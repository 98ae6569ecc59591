/**
 * The commands of docs/operations/backup.md in a root with the package and Debian's PostgreSQL, each by the user whom the page names: the log archived
 * by that of PostgreSQL, base backups by that of Gatehouse, and a moment restored from both.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { root as sources } from '../../tidy/source-files.ts'
import { runIn } from './debian-root.ts'

const page = readFileSync(join(sources, 'docs/operations/backup.md'), 'utf8')
const [, , createArchive = '', makeBase = ''] = commandsOf('Set up')
const [, verifyBase = ''] = commandsOf('Verify')
const [, copyFiles = '', restoreFiles = '', startRestored = ''] = commandsOf('Restore to a moment')
const [, archiveSettings = ''] = /^ *```\n( *archive_mode[\s\S]*?)^ *```$/m.exec(page) ?? []
const [exampleBackup, exampleMoment] = ['gatehouse-20261116T023000Z.base.age', '2026-11-16T14:05:00Z']
const archive = '/var/backups/gatehouse-wal'
const patienceMs = 60_000

/** Needs the keys of the instance in the root. */
export async function restoreMomentIn(t: TestContext, root: string): Promise<void> {
  const run = (script: string) => runIn(root, ['sh', '-euc', `cd /root\n${script}`], { environment })
  const query = async (text: string) =>
    (await run(`cd /; runuser -u postgres -- psql --no-align --tuples-only gatehouse --command "${text}"`)).trim()
  /** Resolves when everything that was written so far is archived. */
  const archiveAll = async (): Promise<void> => {
    const segment = await query('select pg_walfile_name(pg_switch_wal())')
    await waitUntil(() => run(`test -e ${archive}/${segment}.age`))
  }
  const recipient = await installServer(root, run)
  try {
    await run(createArchive)
    assert.match(archiveSettings, /archive_command = .*age1…/)
    const settings = archiveSettings.replaceAll(/^ +/gm, '').replace('age1…', recipient)
    await appendFile(join(root, 'etc/postgresql/15/main/postgresql.conf'), settings)
    await run('pg_ctlcluster 15 main restart')

    let backup = ''
    await t.test(
      'the user of PostgreSQL archives the log, and that of Gatehouse makes base backups and cleans it',
      async () => {
        await archiveAll()
        const said = await run(`exec 2>&1\n${makeBase}`)
        backup = /gatehouse-\w+\.base\.age/.exec(said)?.[0] ?? assert.fail(said)
        assert.match(said, /^Deleted [1-9]\d* segments? before /m)
        assert.doesNotMatch(said, /could not note/)
        const shown = await run(
          `stat --format='%U:%G %a %n' /var/backups/gatehouse/${backup} ${archive} ${archive}/system`,
        )
        assert.deepEqual(shown.trim().split('\n'), [
          `gatehouse:gatehouse 600 /var/backups/gatehouse/${backup}`,
          `postgres:gatehouse 2770 ${archive}`,
          `postgres:gatehouse 640 ${archive}/system`,
        ])
      },
    )

    await query('create table moments (name text)')
    await query("insert into moments values ('before')")
    // Times of commits and of the wish are compared to the millisecond.
    await sleep(50)
    const moment = (await run('date --utc +%FT%T.%3NZ')).trim()
    await sleep(50)
    await query("insert into moments values ('after')")
    await archiveAll()
    const filled = (commands: string) => commands.replaceAll(exampleBackup, backup).replaceAll(exampleMoment, moment)

    await t.test('the base backup and the archive are verified by the user of PostgreSQL', async () => {
      await run(filled(copyFiles))
      const verification = `cd /var/lib/postgresql/restore\n${filled(verifyBase)}`
      await writeFile(join(root, 'tmp/verify'), verification)
      assert.match(await run('runuser -u postgres -- sh -eu /tmp/verify'), /^faults +0$/m)
    })

    await t.test('the server is restored to a moment, and archives nothing', async () => {
      await run('pg_ctlcluster 15 main stop')
      await run(filled(restoreFiles))
      await run(filled(startRestored))
      await waitUntil(async () => assert.equal(await query('select pg_is_in_recovery()'), 'f'))
      assert.equal(await query('select name from moments'), 'before')
      assert.equal(await query('show archive_mode'), 'off')
    })
  } finally {
    await run('pg_ctlcluster 15 main stop --mode immediate')
  }
}

const environment = { DEBIAN_FRONTEND: 'noninteractive' }

/** PostgreSQL with the migrated database of a live instance. Returns the public key of its backups. */
async function installServer(root: string, run: (script: string) => Promise<string>): Promise<string> {
  // The root has no init: it would start the server by itself, on a port of this machine.
  await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  await run('apt-get install -y --no-install-recommends postgresql')
  await run(`pg_conftool 15 main set port 5432
    pg_conftool 15 main set listen_addresses ''
    pg_ctlcluster 15 main start
    cd /
    runuser -u postgres -- createuser gatehouse
    runuser -u postgres -- createdb --owner=gatehouse gatehouse`)
  const recipient = (
    await run(`cd /var/lib/gatehouse
    gatehouse backup key backup.key
    mv backup.key /root`)
  ).trim()
  await run(`sed -i \\
    -e 's|^DATABASE_URL=.*|DATABASE_URL=postgres://gatehouse@%2Fvar%2Frun%2Fpostgresql/gatehouse|' \\
    -e 's|^BASE_URL=.*|BASE_URL=https://pay.example.com|' \\
    -e 's|^ADMIN_URL=.*|ADMIN_URL=https://panel.example.com|' \\
    -e 's|^BACKUP_RECIPIENT=.*|BACKUP_RECIPIENT=${recipient}|' \\
    /etc/gatehouse/gatehouse.env
    gatehouse migrate`)
  return recipient
}

/** The commands of a section, block by block. */
function commandsOf(section: string): readonly string[] {
  const [text = ''] = page.split(/^## /m).filter((one) => one.startsWith(`${section}\n`))
  return [...text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, , commands = '']) => commands)
}

async function waitUntil(judge: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      await judge()
      return
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(500)
    }
  }
}
