import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { iso8583 } from '#server/connectors/iso8583/index.ts'
import { createWires } from '#server/connectors/wire.ts'
import { extension, issue, pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { encode, sequence } from '#server/wallets/tokens/testing/der.ts'
import { labelledKey } from '#server/wallets/tokens/testing/keys.ts'

const subjectAltName = '2.5.29.17'
const authority = pem(root.der)

function certificateOf(name: string, serial: bigint) {
  const key = labelledKey(`line ${name}`)
  const names = extension(subjectAltName, sequence(encode(0x82, Buffer.from(name))))
  const { der } = issue({ ...root.plan, subject: name, key, serial, extensions: [names] })
  return { cert: pem(der), key: key.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() }
}

/** Answers every network message of the 1987 dialect with yes. */
async function startTlsLine(t: TestContext, isCertificateWanted: boolean) {
  const sockets = new Set<TLSSocket>()
  const options = {
    ...certificateOf('localhost', 81n),
    ca: authority,
    requestCert: isCertificateWanted,
    rejectUnauthorized: isCertificateWanted,
  }
  const server = createServer(options, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.subarray(2).toString('latin1')
      const [transmitted, stan] = [text.slice(36, 46), text.slice(46, 52)]
      const reply = Buffer.from(`08108220000002000000${'0400000000000000'}${transmitted}${stan}00${text.slice(-3)}`)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.write(Buffer.concat([length, reply]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function check(t: TestContext, port: number, more: object) {
  const wires = createWires({ clock: { now: () => new Date('2026-03-01T12:00:00Z') } })
  t.after(() => wires.close())
  const credentials = {
    host: 'localhost',
    port,
    encryption: 'tls',
    acquirer_id: '1',
    terminal_id: 'T',
    acceptor_id: 'A',
    mcc: '5661',
    city: 'B',
    country: 'DE',
    dialect: 'iso1987-ascii',
  }
  return iso8583.open({ ...credentials, ...more }, wires, 'live').check?.(null)
}

test('a line over TLS is opened only to a host whose certificate is trusted', async (t) => {
  const port = await startTlsLine(t, false)
  assert.deepEqual(await check(t, port, { authority }), { kind: 'accepted' })
  assert.equal((await check(t, port, {}))?.kind, 'no-answer')
})

test('the client certificate opens a line to a host that wants one, and nothing else does', async (t) => {
  const port = await startTlsLine(t, true)
  const { cert, key } = certificateOf('merchant', 82n)
  assert.deepEqual(await check(t, port, { authority, client_certificate: cert, client_key: key }), { kind: 'accepted' })
  assert.equal((await check(t, port, { authority }))?.kind, 'no-answer')
})
