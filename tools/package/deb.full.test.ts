/** The Debian package, built and installed in a root of Debian, and its units as systemd judges them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { emptyTestDatabase } from '../../server/test/database.ts'
import { buildDeb } from './deb.ts'
import { restoreMomentIn } from './testing/archived-root.ts'
import { debianRootFault, makeDebianRoot, removeRoot, runIn } from './testing/debian-root.ts'
import { payInRoot } from './testing/instance-in-root.ts'

const units = ['api', 'worker', 'migrate', 'backup', 'base-backup'].map((name) => `gatehouse-${name}.service`)
const highestExposure = 3
/** Building and installing take minutes on a slow machine. */
const buildLimitMs = 3_600_000

test('the package installs on a bare Debian, takes a payment, and its units pass systemd', {
  skip: debianRootFault() ?? false,
  timeout: buildLimitMs,
}, async (t) => {
  const root = await installed(t)

  await t.test('its files have the owners and modes that keep secrets from other users', async () => {
    const shown = await runIn(root, [
      'stat',
      '--format=%U:%G %a %n',
      '/etc/gatehouse',
      '/etc/gatehouse/gatehouse.env',
      '/var/lib/gatehouse',
      '/var/backups/gatehouse',
    ])
    assert.deepEqual(shown.trim().split('\n'), [
      'root:gatehouse 750 /etc/gatehouse',
      'root:gatehouse 640 /etc/gatehouse/gatehouse.env',
      'gatehouse:gatehouse 700 /var/lib/gatehouse',
      'gatehouse:gatehouse 700 /var/backups/gatehouse',
    ])
  })

  await t.test('the command gatehouse creates the keys as the user of the service', async () => {
    await runIn(root, ['gatehouse', 'keys', 'create', '/var/lib/gatehouse/keys.json'])
    assert.match(await runIn(root, ['stat', '--format=%U %a', '/var/lib/gatehouse/keys.json']), /^gatehouse 600$/m)
  })

  await t.test('an instance takes a payment and ends on SIGTERM', async () => {
    const database = await emptyTestDatabase()
    t.after(() => database.drop())
    const [uid = '', gid = ''] = (await runIn(root, ['sh', '-c', 'id -u gatehouse; id -g gatehouse']))
      .trim()
      .split('\n')
    const { answer, exits } = await payInRoot(
      {
        root,
        entrypoint: ['/usr/lib/gatehouse/runtime/node'],
        environment: { DATA_DIR: '/var/lib/gatehouse' },
        folder: '/usr/lib/gatehouse',
        user: `${uid}:${gid}`,
        writable: ['/var/lib/gatehouse'],
      },
      database.url,
    )
    assert.match(answer, /"result":"SUCCESS","status":"SETTLED"/)
    assert.deepEqual(
      exits.map(({ code }) => code),
      [0, 0, 0],
    )
  })

  await t.test('its base backups and the archived log restore a moment, as the page of backups says', (within) =>
    restoreMomentIn(within, root),
  )

  await t.test('systemd finds no fault in the units, and rates their exposure below three', async () => {
    await runIn(root, ['apt-get', 'install', '-y', '--no-install-recommends', 'systemd'], {
      environment: { DEBIAN_FRONTEND: 'noninteractive' },
    })
    const paths = [...units, 'gatehouse.target', 'gatehouse-backup.timer', 'gatehouse-base-backup.timer'].map(
      (unit) => `/usr/lib/systemd/system/${unit}`,
    )
    assert.equal(await runIn(root, ['sh', '-c', 'systemd-analyze verify --man=no "$@" 2>&1', 'sh', ...paths]), '')
    for (const unit of units) {
      const rating = await runIn(root, [
        'systemd-analyze',
        'security',
        '--offline=true',
        '--no-pager',
        `--threshold=${highestExposure * 10}`,
        `/usr/lib/systemd/system/${unit}`,
      ])
      const [, exposure = ''] = /Overall exposure level for \S+: ([0-9.]+)/.exec(rating) ?? []
      assert.ok(Number(exposure) < highestExposure, `${unit}: ${exposure}`)
    }
  })
})

async function installed(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-deb-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = await buildDeb(folder)
  const { stdout } = await promisify(execFile)('dpkg-deb', ['--contents', file], { maxBuffer: 64 * 1024 * 1024 })
  for (const path of [
    './usr/bin/gatehouse',
    './usr/lib/gatehouse/sbom.cdx.json',
    './usr/lib/gatehouse/licences.txt',
    './usr/share/doc/gatehouse/copyright',
  ])
    assert.ok(stdout.includes(` ${path}\n`), path)
  assert.doesNotMatch(
    stdout,
    /usr\/lib\/gatehouse\/(?!node_modules).*\.test\.ts$|node_modules\/(?:esbuild|typescript)\//m,
  )

  const root = await makeDebianRoot()
  t.after(() => removeRoot(root))
  await cp(file, join(root, 'tmp', basename(file)))
  const environment = { DEBIAN_FRONTEND: 'noninteractive' }
  await runIn(root, ['apt-get', 'update'], { environment })
  await runIn(root, ['apt-get', 'install', '-y', '--no-install-recommends', `/tmp/${basename(file)}`], { environment })
  return root
}
