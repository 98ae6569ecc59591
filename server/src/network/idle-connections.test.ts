import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { boundIdleConnections } from './idle-connections.ts'
import { parseIpList } from './ip-list.ts'

const most = 3

async function openScene(context: TestContext, trustedText: readonly string[] = []) {
  const reading = parseIpList(trustedText)
  assert.ok(reading.ok)
  const closed: string[] = []
  const answers: (() => void)[] = []
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/now') response.end('now')
    else answers.push(() => response.end('later'))
  })
  boundIdleConnections(server, { most, trusted: reading.list, onClosed: (address) => closed.push(address) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  /** Resolves when the server has the connection. */
  const open = async (words = '', localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
    sockets.push(socket)
    const heads = words === '' || words.includes('/now') ? null : once(server, 'request')
    await Promise.all([once(server, 'connection'), once(socket, 'connect')])
    socket.write(words)
    await heads
    return socket
  }
  const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded
  return { open, closed, answers, isOpen }
}

const withoutBody = 'POST /later HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n'
const whole = 'GET /later HTTP/1.1\r\nhost: a\r\n\r\n'

test('the longest idle connection of a caller is closed when it has one too many: silent ones, and heads without a body', async (context) => {
  const { open, closed } = await openScene(context)
  const first = await open()
  const second = await open(withoutBody)
  await open()
  const firstEnd = once(first.resume(), 'close')
  await open()
  await firstEnd
  const secondEnd = once(second.resume(), 'close')
  await open()
  await secondEnd
  assert.deepEqual(closed, ['127.0.0.1', '127.0.0.1'])
})

test('a request that is being answered does not count, and its connection is idle again afterwards', async (context) => {
  const { open, closed, answers } = await openScene(context)
  const busy = [await open(whole), await open(whole), await open(whole), await open(whole)]
  for (let count = 0; count < most; count += 1) await open()
  assert.deepEqual(closed, [])
  const [first, ...others] = busy
  for (const answer of answers) answer()
  for (const socket of [first, ...others]) await once(socket ?? assert.fail(), 'data')
  await open('GET /now HTTP/1.1\r\nhost: a\r\n\r\n')
  assert.ok(closed.length >= 1)
})

// Other systems have no second loopback address.
const skip = process.platform === 'linux' ? false : 'needs the address 127.0.0.2'

test('other callers keep their connections, and a trusted proxy may hold any number', { skip }, async (context) => {
  const { open, closed, isOpen } = await openScene(context, ['127.0.0.3'])
  const other = await open('', '127.0.0.2')
  for (let count = 0; count < 3 * most; count += 1) await open('', '127.0.0.3')
  assert.deepEqual(closed, [])
  for (let count = 0; count < 3 * most; count += 1) await open('', '127.0.0.1')
  assert.equal(closed.length, 2 * most)
  assert.ok(isOpen(other))
})
