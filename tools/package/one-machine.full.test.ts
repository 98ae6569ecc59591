/** The commands of docs/operations/one-machine.md, in their order, on a bare Debian that systemd runs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { root as sources } from '../tidy/source-files.ts'
import { buildDeb } from './deb.ts'
import { type BootedRoot, boot, bootFault } from './testing/booted-root.ts'
import { debianRootFault, makeDebianRoot, removeRoot, runIn } from './testing/debian-root.ts'
import { isMigrating, mainPids, makeNewerDeb, migrations, payerOn, turnIntoSandbox } from './testing/machine-upgrade.ts'

const page = readFileSync(join(sources, 'docs/operations/one-machine.md'), 'utf8')
/** The commands of each step. */
const steps = page
  .split(/^## /m)
  .slice(1)
  .map((step) => [...step.matchAll(/^```sh\n(?<commands>.*?)^```$/gms)].map(({ groups }) => groups?.['commands'] ?? ''))
const [install = [], database = [], keys = [], settings = [], start = [], tls = [], watch = [], backup = []] = steps
const environment = { DEBIAN_FRONTEND: 'noninteractive' }
/** What the page promises a newcomer, who also reads it. */
const pageWithinSeconds = 1_800
let pageSeconds = 0
const authority = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'

test('a newcomer gets from a bare Debian to a watched and backed up instance with TLS', {
  skip: debianRootFault() ?? bootFault() ?? false,
  timeout: 3_600_000,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-machine-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const deb = await buildDeb(folder)
  const root = await makeDebianRoot()
  let booted: BootedRoot | null = null
  // One after the other: what still runs would write into folders that are being removed.
  t.after(async () => {
    await booted?.stop()
    await removeRoot(root)
  })
  await cp(deb, join(root, 'root', basename(deb)))
  // Of a machine, not of the page: a bare root has no init.
  await runIn(root, ['sh', '-c', 'apt-get update && apt-get install -y --no-install-recommends systemd-sysv dbus'], {
    environment,
  })
  // Before the boot, because the booted root does not reach Debian's packages.
  for (const commands of install)
    await count(() => runIn(root, ['sh', '-euc', `cd /root\n${commands}`], { environment }))
  const machine = await boot(root)
  booted = machine
  const follow = (commands: string) => count(() => machine.run(commands))
  // Stands in for DNS.
  await appendFile(join(root, 'etc/hosts'), '127.0.0.1 pay.example.com panel.example.com\n')

  for (const commands of database) await follow(commands)
  const [create = '', remove = ''] = keys
  const publicKey = /^age1\w+$/m.exec(await follow(create))?.[0]
  assert.ok(publicKey)
  await follow(remove)
  for (const commands of settings) await follow(commands.replace('age1…', publicKey))

  await t.test('the services run, and the owner has a password', async () => {
    const said = await follow(start.join('\n'))
    assert.match(said, /^password +\S+$/m)
    await eventually(async () => {
      assert.equal(
        await states(machine, 'gatehouse-api', 'gatehouse-worker', 'gatehouse-backup.timer'),
        'active active active',
      )
    })
  })

  await t.test('payments and the panel answer over TLS, and the doctor finds no problem', async () => {
    const [proxy = ''] = tls
    const [copy = '', reload = '', ask = ''] = proxy.trim().split('\n')
    await follow(copy)
    // No public authority gives this machine a certificate.
    const caddyfile = join(root, 'etc/caddy/Caddyfile')
    await writeFile(caddyfile, `{\n\tlocal_certs\n}\n${await readFile(caddyfile, 'utf8')}`)
    await follow(reload)
    const trusted = ask.replace('curl ', `curl --silent --cacert ${authority} `)
    await count(() => eventually(async () => assert.match(await machine.run(trusted), /"status":"healthy"/)))
    const panel = `curl --silent --fail --cacert ${authority} https://panel.example.com/admin`
    assert.match(await machine.run(panel), /<title>/)
    const statusOf = (path: string) =>
      machine.run(`curl --silent --output /dev/null --write-out '%{http_code}' --cacert ${authority} ${path}`)
    for (const path of ['/metrics', '/service/health', '/service/version'])
      assert.equal(await statusOf(`https://panel.example.com${path}`), '404', path)
    const post = `curl --silent --cacert ${authority} --data action=SALE https://pay.example.com/post`
    assert.match(await machine.run(post), /"result":"ERROR"/)
    // It has no authority of Node's own.
    const doctor = await machine.run(`NODE_EXTRA_CA_CERTS=${authority} gatehouse doctor || true`)
    assert.doesNotMatch(doctor, /^PROBLEM(?! +panel)/m, doctor)
  })

  await t.test('Prometheus reads both processes and has the rules, and Alertmanager gets its alerts', async () => {
    for (const commands of watch) await follow(commands)
    await eventually(async () => {
      const targets = await machine.run('curl --silent http://127.0.0.1:9090/api/v1/targets')
      assert.equal(targets.match(/"health":"up"/g)?.length, 2, targets)
    })
    assert.match(await machine.run('curl --silent http://127.0.0.1:9090/api/v1/rules'), /GatehouseUnhealthy/)
    await machine.run('systemctl stop gatehouse-worker')
    await eventually(async () =>
      assert.match(await machine.run('curl --silent http://127.0.0.1:9093/api/v2/alerts'), /GatehouseDown/),
    )
    await machine.run('systemctl start gatehouse-worker')
  })

  await t.test('the first backup is written', async () => {
    assert.match(await follow(backup.join('\n')), /^gatehouse-\S+\.dump\.age$/m)
  })

  await t.test('the commands of the page took less than half an hour', (own) => {
    const said = `The commands of the page took ${Math.round(pageSeconds)} seconds.`
    own.diagnostic(said)
    assert.ok(pageSeconds < pageWithinSeconds, said)
  })

  await t.test('a killed process is started again, and a reload refuses no request', async () => {
    const pid = (await machine.run('systemctl show --property=MainPID --value gatehouse-api')).trim()
    await machine.run(`kill -KILL ${pid}`)
    await eventually(async () => {
      const now = (await machine.run('systemctl show --property=MainPID --value gatehouse-api')).trim()
      assert.ok(now !== pid && now !== '0')
      assert.match(await machine.run('curl --silent --fail http://127.0.0.1:8080/service/health'), /healthy/)
    })
    await machine.run(
      "sed -i 's|^#PROCESSES=.*|PROCESSES=2|' /etc/gatehouse/gatehouse.env; systemctl restart gatehouse-api",
    )
    await eventually(async () => {
      await machine.run('curl --silent --fail http://127.0.0.1:8080/service/health')
    })
    const requests = machine.run(
      'for n in $(seq 200); do curl --silent --fail --output /dev/null http://127.0.0.1:8080/service/version; done',
    )
    await machine.run('systemctl reload gatehouse-api')
    await requests
  })

  await t.test('services that are started without a database serve when it is back', async () => {
    const tried = async (): Promise<number> =>
      Number(await machine.run('systemctl show --property=NRestarts --value gatehouse-api'))
    await machine.run('systemctl stop postgresql')
    await machine.run('systemctl --no-block restart gatehouse-api gatehouse-worker')
    await eventually(async () => assert.ok((await tried()) >= 3))
    await machine.run('systemctl start postgresql')
    await eventually(async () => {
      assert.match(await machine.run('curl --silent --fail http://127.0.0.1:8080/service/health'), /"healthy"/)
      assert.equal(await states(machine, 'gatehouse-api', 'gatehouse-worker'), 'active active')
    })
    // The last attempt without a database may have been the one that the services did not wait for.
    await machine.run('systemctl start gatehouse-migrate')
  })

  await t.test('a newer package migrates while the old release serves, and keeps the settings', async () => {
    const make = (suffix: string, migration: string) =>
      makeNewerDeb(deb, join(root, `root/${suffix}.deb`), { suffix, migration })
    const install = (suffix: string) =>
      machine.run(`DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ./${suffix}.deb`)
    await make('broken', migrations.fails)
    await make('newer', migrations.takesItsTime)
    await turnIntoSandbox(machine)
    const pay = await eventually(() => payerOn(machine))
    await eventually(() => pay('BEFORE'))
    const readSettings = () => readFile(join(root, 'etc/gatehouse/gatehouse.env'), 'utf8')
    const [settingsBefore, pids] = [await readSettings(), await mainPids(machine)]

    await assert.rejects(install('broken'))
    await pay('AFTER-A-FAILURE')
    assert.deepEqual(await mainPids(machine), pids, 'a release that cannot migrate leaves the old one running')

    const installed = Promise.allSettled([install('newer')])
    await eventually(async () => assert.ok(await isMigrating(machine)))
    await pay('MEANWHILE')
    assert.deepEqual(await mainPids(machine), pids, 'the migration is over before the processes are restarted')
    assert.ok(await isMigrating(machine), 'the payment was made during the migration')
    assert.equal((await installed)[0].status, 'fulfilled')

    const pidsAfter = await mainPids(machine)
    assert.ok(
      pidsAfter.every((pid) => pid !== '0' && !pids.includes(pid)),
      `${pids} and ${pidsAfter}`,
    )
    assert.equal(await readSettings(), settingsBefore)
    await eventually(() => pay('AFTER'))
    assert.match(await machine.run('dpkg-query --show gatehouse'), /\+newer$/m)
    assert.match(await machine.run('gatehouse migrate --status'), /newer/)
  })

  assert.equal((await machine.run('systemctl --failed --quiet --plain')).trim(), '')
})

const states = async (machine: BootedRoot, ...units: readonly string[]): Promise<string> =>
  (await machine.run(`systemctl is-active ${units.join(' ')} || true`)).trim().split('\n').join(' ')

/** Adds the time of a step of the page; what this test does besides is not the newcomer's. */
async function count<Result>(follow: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  try {
    return await follow()
  } finally {
    pageSeconds += (performance.now() - began) / 1000
  }
}

/** Units and scrapes need their time. */
async function eventually<Result>(judge: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + 180_000
  for (;;) {
    try {
      return await judge()
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(1000)
    }
  }
}
