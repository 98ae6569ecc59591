/** Faults of a database with a standby, on real servers: a slot that is full, two servers that both believe to lead, an expired certificate. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { issue, mayIssue, maySign, nameOf, pem } from '#sandbox/wallet/certificates/certificate.ts'
import { newEcPair } from '#sandbox/wallet/key-pair.ts'
import { requireConnection } from '#server/store/database/connection/connection-fault.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { readStandbyState } from '#server/store/instance/replication.ts'
import { portOf } from '../hosts/port-of.ts'
import { type ReplicatedServer, startReplicated } from '../hosts/standby.ts'

let server: ReplicatedServer
before(async () => {
  server = await startReplicated({ slot: 'standby' })
  await server.onPrimary('grant create on schema public to gatehouse')
  await untilStreams()
})
after(() => server.close())

/** The standby has everything that was written until now. */
async function untilStreams(): Promise<void> {
  const pool = poolOf(server.primaryUrl)
  const isBehind = `select 1 from pg_replication_slots where restart_lsn is null or restart_lsn < pg_current_wal_lsn() or not active`
  for (let tries = 0; (await pool.query(isBehind)).rowCount !== 0 && tries < 200; tries += 1) await sleep(50)
  await pool.end()
}

const poolOf = (url: string): Pool => openPool(url, { max: 1, applicationName: 'test' })

test('a standby that was away for longer than its slot keeps the log is named, and payments can be written', async () => {
  const pool = poolOf(server.primaryUrl)
  try {
    assert.deepEqual(await readStandbyState(pool), {
      connected: 0,
      missing: 0,
      lost: 0,
      secondsBehind: null,
      isHidden: true,
    })
    await server.onPrimary('grant pg_read_all_stats to gatehouse')
    const { connected, secondsBehind, isHidden } = await readStandbyState(pool)
    assert.deepEqual([connected, isHidden], [1, false], 'a right of the role shows it')
    assert.ok(secondsBehind === null || secondsBehind < 60)
    await server.stopStandby()
    assert.equal((await readStandbyState(pool)).missing, 1)
    // Each switch ends a file of the log, of which the slot may hold two.
    for (let files = 0; files < 4; files += 1)
      await server.onPrimary('select pg_logical_emit_message(false, $$log$$, $$full$$); select pg_switch_wal()')
    await server.onPrimary('checkpoint')
    const without = { connected: 0, missing: 0, secondsBehind: null, isHidden: false }
    assert.deepEqual(await readStandbyState(pool), { ...without, lost: 1 })
    await pool.query('create table written (id int); insert into written values (1)')
  } finally {
    await pool.end()
  }
})

test('of two servers that both believe to lead, the former leader is refused by its timeline', async () => {
  await server.startStandby()
  await server.onStandby('select pg_promote()')
  const proxy = await startProxy()
  const pool = poolOf(proxy.url)
  const change = async (url: string): Promise<void> => {
    proxy.lead(url)
    while (pool.totalCount > 0) await sleep(20)
  }
  const write = () => pool.query('create table if not exists led (id int)')
  try {
    proxy.lead(server.standbyUrl)
    await write()
    await change(server.primaryUrl)
    await assert.rejects(write(), /former leader: its timeline is 1, and 2 has begun/)
    await change(server.standbyUrl)
    await write()
  } finally {
    await pool.end()
    await proxy.close()
  }
  const former = poolOf(server.primaryUrl)
  const { rows } = await former.query(`select to_regclass('led') as found`)
  await former.end()
  assert.deepEqual(rows, [{ found: null }], 'The former leader was given nothing to write.')
})

const socketOf = (folder: string): string => join(folder, '.s.PGSQL.5432')
const folderOf = (url: string): string => decodeURIComponent(/host=([^&]+)/.exec(url)?.[1] ?? '')

/** A proxy that is wrong about the leader; a change ends the connections through it. */
async function startProxy() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-proxy-'))
  let target = ''
  const open = new Set<{ destroy(): unknown }>()
  const proxy = createServer((socket) => {
    const database = connect(socketOf(target))
    for (const [one, other] of [
      [socket, database],
      [database, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await listen(proxy, socketOf(folder))
  return {
    url: server.primaryUrl.replace(/host=.*$/, `host=${encodeURIComponent(folder)}`),
    lead: (url: string): void => {
      target = folderOf(url)
      for (const one of open) one.destroy()
      open.clear()
    },
    close: async () => {
      for (const one of open) one.destroy()
      await new Promise((resolve) => proxy.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}

const listen = (host: Server, place: string | number): Promise<void> =>
  new Promise((resolve) => {
    if (typeof place === 'string') host.listen(place, resolve)
    else host.listen(place, '127.0.0.1', resolve)
  })

test('a server whose certificate has expired gets no password, and the fault says what to do', async (t) => {
  const [key, ownKey] = [await newEcPair(), await newEcPair()]
  const subject = nameOf('Authority of the database')
  const [from, until] = [new Date('2015-01-01T00:00:00Z'), new Date('2049-12-31T00:00:00Z')]
  const authority = issue({ subject, from, until, extensions: mayIssue }, key, { subject, key })
  const plan = { subject: nameOf('localhost'), from, until: new Date('2020-01-01T00:00:00Z'), extensions: maySign }
  const expired = issue(plan, ownKey, authority)
  const received: string[] = []
  const host = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('S')
      const secured = new TLSSocket(socket, {
        isServer: true,
        cert: pem(expired),
        key: ownKey.privateKey.export({ format: 'pem', type: 'pkcs8' }),
      })
      secured.on('error', () => undefined)
      secured.on('data', (data) => received.push(data.toString('latin1')))
    })
  })
  await listen(host, 0)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-authority-'))
  t.after(async () => {
    host.close()
    await rm(folder, { recursive: true })
  })
  await writeFile(join(folder, 'ca.pem'), pem(authority))
  const pool = poolOf(
    `postgres://u:hunter2@localhost:${portOf(host)}/db?sslmode=verify-full&sslrootcert=${join(folder, 'ca.pem')}`,
  )
  await assert.rejects(requireConnection(pool), (fault: Error) => {
    assert.match(fault.message, /^The certificate of the database server is not valid at this time: /)
    assert.match('remedy' in fault ? String(fault.remedy) : '', /Renew the certificate/)
    return true
  })
  await pool.end()
  assert.equal(received.join(''), '')
})
