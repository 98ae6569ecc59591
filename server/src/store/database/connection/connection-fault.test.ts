/** A database that cannot be used is refused with its cause and what to do. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { openPool } from '../pool.ts'
import { connectionFault, requireConnection } from './connection-fault.ts'

const failing = (code: string, message = 'as the system says') => Object.assign(new Error(message), { code })

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [code: string, sentence: RegExp, remedy: RegExp])[] = [
  ['EAI_AGAIN',                   /^The name of the database server cannot be resolved: as the system says\.$/, /name servers/],
  ['ETIMEDOUT',                   /^The database server does not answer: /,                                     /firewalls/],
  ['CERT_HAS_EXPIRED',            /^The certificate of the database server is not valid at this time: /,        /Renew the certificate/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /authority that is not known here: /,                                         /sslrootcert/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /has another name: /,                                                        /name of the certificate/],
  ['28P01',                       /does not admit this user: /,                                                 /user and password/],
  ['3D000',                       /^The database does not exist: /,                                             /createdb/],
  ['53300',                       /has no free connection: /,                                                   /max_connections/],
  ['57P03',                       /is starting or stopping: /,                                                  /Try again/],
  ['XX000',                       /^The database cannot be reached: /,                                          /DATABASE_URL is correct/],
]

for (const [code, sentence, remedy] of cases)
  test(`${code} is named with what to do`, () => {
    const fault = connectionFault(failing(code))
    assert.match(fault.message, sentence)
    assert.match(fault.remedy, remedy)
  })

test('a time-out of the driver is named as one', () => {
  assert.match(
    connectionFault(new Error('timeout exceeded when trying to connect')).message,
    /does not answer: timeout/,
  )
})

test('a host with several addresses that all refuse is named by the first', () => {
  const refused = ['::1', '127.0.0.1'].map((host) => failing('ECONNREFUSED', `connect ECONNREFUSED ${host}:5432`))
  const { message } = connectionFault(new AggregateError(refused))
  assert.equal(message, 'No database server listens at this address: connect ECONNREFUSED ::1:5432.')
})

const connect = async (url: string) => {
  const pool = openPool(url, { max: 1, applicationName: 'test' })
  try {
    await requireConnection(pool)
  } finally {
    await pool.end()
  }
}

test('a host that has no address, and a port without a server', async () => {
  await assert.rejects(connect('postgres://u@nosuch.invalid/db'), /cannot be resolved: getaddrinfo /)
  await assert.rejects(connect('postgres://u@127.0.0.1:1/db'), /No database server listens .*127\.0\.0\.1:1\.$/)
})

test('a server that has no TLS, where the address requires it, never gets the password', async (t) => {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      received.push(data.toString('latin1'))
      socket.end('N')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  await assert.rejects(
    connect(`postgres://u:hunter2@127.0.0.1:${address.port}/db?sslmode=require`),
    (fault: Error) => /does not support SSL/.test(fault.message) && !fault.message.includes('hunter2'),
  )
  assert.doesNotMatch(received.join(''), /hunter2/)
})
