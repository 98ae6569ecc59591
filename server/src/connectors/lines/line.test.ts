// A line over a host of four-digit numbers: the first byte of a message says what it is, the rest names the exchange.
import assert from 'node:assert/strict'
import { createServer, connect as netConnect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WireFault } from '../wire-fault.ts'
import { FrameReader, type Framing, FramingError, frame } from './framing.ts'
import { Line, type LineTiming, SignOnRefusedError, usualTiming } from './line.ts'
import type { LineProtocol } from './protocol.ts'

const framing: Framing = { lengthBytes: 2, lengthFormat: 'binary', countsItself: false }
let echoes = 0
const protocol: LineProtocol = {
  framing,
  exchangeKey: (message) => message.toString('latin1').slice(1),
  signOn: () => Buffer.from('Ssign'),
  echo: () => {
    echoes += 1
    return Buffer.from(`E${echoes}`)
  },
  isAccepted: (reply) => reply.toString('latin1').startsWith('Y'),
  replyTo: (message) => (message.toString('latin1').startsWith('H') ? Buffer.from('A-host') : null),
  describe: () => null,
}

interface Host {
  readonly port: number
  readonly received: string[]
  readonly sockets: Set<Socket>
  connections: number
  onMessage: (text: string, send: (text: string) => void, socket: Socket) => void
}

async function startHost(t: TestContext): Promise<Host> {
  const host: Host = {
    port: 0,
    received: [],
    sockets: new Set(),
    connections: 0,
    onMessage: (text, send) => send(`Y${text.slice(1)}`),
  }
  const server = createServer((socket) => {
    host.connections += 1
    host.sockets.add(socket)
    const reader = new FrameReader(framing)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      for (const message of reader.push(chunk)) {
        const text = message.toString('latin1')
        host.received.push(text)
        host.onMessage(text, (reply) => socket.write(frame(framing, Buffer.from(reply))), socket)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    for (const socket of host.sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return Object.assign(host, { port: typeof address === 'object' ? (address?.port ?? 0) : 0 })
}

function lineTo(t: TestContext, port: () => number, timing: Partial<LineTiming> = {}): Line {
  const connect = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = netConnect(port(), '127.0.0.1', () => resolve(socket)).once('error', reject)
    })
  const clock = { now: () => new Date(0) }
  const line = new Line({
    protocol,
    connect,
    clock,
    timing: { ...usualTiming, firstPauseMs: 5, longestPauseMs: 20, ...timing },
  })
  t.after(() => line.end())
  return line
}

const ask = async (line: Line, text: string, timeoutMs = 5_000): Promise<string> =>
  (await line.exchange(Buffer.from(text), { timeoutMs })).toString('latin1')

const faultOf = async (answer: Promise<unknown>): Promise<WireFault> => {
  const fault = await answer.then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(fault instanceof WireFault, String(fault))
  return fault
}

test('many requests share one connection, and replies in any order find their requests', async (t) => {
  const host = await startHost(t)
  const held: (() => void)[] = []
  host.onMessage = (text, send) => {
    if (text.startsWith('S')) return send('Ysign')
    held.push(() => send(`Y${text.slice(1)}`))
    if (held.length === 20) for (const reply of held.toReversed()) reply()
  }
  const line = lineTo(t, () => host.port)
  const numbers = Array.from({ length: 20 }, (_, index) => String(index))
  const answers = await Promise.all(numbers.map((number) => ask(line, `R${number}`)))
  assert.deepEqual(
    answers,
    numbers.map((number) => `Y${number}`),
  )
  assert.equal(host.connections, 1)
  assert.deepEqual(host.received.slice(0, 2), ['Ssign', 'R0'])
})

test('a refused connection and a refused sign-on have sent nothing of the request', async (t) => {
  assert.equal(
    (
      await faultOf(
        ask(
          lineTo(t, () => 1),
          'R1',
        ),
      )
    ).sent,
    false,
  )
  const host = await startHost(t)
  host.onMessage = (text, send) => send(`N${text.slice(1)}`)
  const fault = await faultOf(
    ask(
      lineTo(t, () => host.port),
      'R1',
    ),
  )
  assert.equal(fault.sent, false)
  assert.ok(fault.cause instanceof SignOnRefusedError)
  assert.ok(!host.received.includes('R1'))
})

test('a request on a line that breaks may have been executed, one that was not written has not', async (t) => {
  const host = await startHost(t)
  const line = lineTo(t, () => host.port, { longestPauseMs: 60_000, firstPauseMs: 60_000 })
  await ask(line, 'R0')
  host.onMessage = (_text, _send, socket) => socket.destroy()
  assert.equal((await faultOf(ask(line, 'R1'))).sent, true)
  // The line is opened again, and breaks at the sign-on.
  assert.equal((await faultOf(ask(line, 'R2'))).sent, false)
  assert.equal((await faultOf(ask(line, 'R3'))).sent, false, 'while it is left alone')
  assert.deepEqual(
    host.received.filter((text) => text.startsWith('R')),
    ['R0', 'R1'],
  )
})

test('after a silence the request may have been executed, and its late reply reaches no other request', async (t) => {
  const host = await startHost(t)
  const late: (() => void)[] = []
  const line = lineTo(t, () => host.port)
  await ask(line, 'R0')
  host.onMessage = (text, send) => late.push(() => send(`Y${text.slice(1)}`))
  assert.equal((await faultOf(ask(line, 'R1', 50))).sent, true)
  host.onMessage = (text, send) => {
    for (const reply of late) reply()
    send(`Y${text.slice(1)}`)
  }
  assert.equal(await ask(line, 'R2'), 'Y2')
  assert.equal(host.connections, 1)
})

test('a reply with another number is not taken, and bytes that are no messages end the line', async (t) => {
  const host = await startHost(t)
  const line = lineTo(t, () => host.port)
  await ask(line, 'R0')
  host.onMessage = (_text, send) => send('Y999')
  assert.equal((await faultOf(ask(line, 'R1', 50))).sent, true)
  host.onMessage = (_text, _send, socket) => socket.write(Buffer.alloc(100, 0xff))
  assert.match((await faultOf(ask(line, 'R2'))).message, /an invalid message/)
  const reader = new FrameReader({ ...framing, lengthFormat: 'ascii', lengthBytes: 4 })
  assert.throws(() => reader.push(Buffer.from('HTTP/1.1')), FramingError)
})

test('the line comes back by itself after the host was away', async (t) => {
  const host = await startHost(t)
  const line = lineTo(t, () => host.port)
  await ask(line, 'R0')
  for (const socket of host.sockets) socket.destroy()
  while (host.received.filter((text) => text === 'Ssign').length < 2)
    await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await ask(line, 'R1'), 'Y1')
})

test('an echo that is not answered ends the line, and a new one is opened', async (t) => {
  const host = await startHost(t)
  host.onMessage = (text, send) => {
    if (!text.startsWith('E')) send(`Y${text.slice(1)}`)
  }
  const line = lineTo(t, () => host.port, { echoEveryMs: 10, signOnWithinMs: 500 })
  await ask(line, 'R0')
  while (host.connections < 2) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(host.received.some((text) => text.startsWith('E')))
})

test('the host’s own echo is answered, also while a request is in progress', async (t) => {
  const host = await startHost(t)
  host.onMessage = (text, send) => {
    if (text.startsWith('S')) return send('Ysign')
    if (text === 'R1') return send('H1')
    if (text === 'A-host') send('Y1')
  }
  assert.equal(
    await ask(
      lineTo(t, () => host.port),
      'R1',
    ),
    'Y1',
  )
})

test('more requests than the line takes are refused as not sent, and the same request is not sent twice at a time', async (t) => {
  const host = await startHost(t)
  const held: (() => void)[] = []
  host.onMessage = (text, send) => (text.startsWith('S') ? send('Ysign') : held.push(() => send(`Y${text.slice(1)}`)))
  const line = lineTo(t, () => host.port, { maxRequests: 3 })
  const first = ask(line, 'R1')
  while (held.length < 1) await new Promise((resolve) => setImmediate(resolve))
  assert.equal((await faultOf(ask(line, 'R1'))).sent, false)
  const second = ask(line, 'R2')
  const third = ask(line, 'R3')
  assert.equal((await faultOf(ask(line, 'R4'))).sent, false)
  while (held.length < 3) await new Promise((resolve) => setImmediate(resolve))
  for (const reply of held) reply()
  assert.deepEqual(await Promise.all([first, second, third]), ['Y1', 'Y2', 'Y3'])
  assert.ok(!host.received.includes('R4'))
})

test('a line that is closed answers the requests in progress first', async (t) => {
  const host = await startHost(t)
  let reply = (): void => undefined
  host.onMessage = (text, send) => {
    if (text.startsWith('S')) return send('Ysign')
    reply = () => send('Y1')
  }
  const line = lineTo(t, () => host.port)
  const answer = ask(line, 'R1')
  while (!host.received.includes('R1')) await new Promise((resolve) => setImmediate(resolve))
  line.close()
  reply()
  assert.equal(await answer, 'Y1')
})

test('a message is put together from any pieces, for every kind of length', () => {
  for (const lengthFormat of ['binary', 'ascii', 'bcd'] as const)
    for (const countsItself of [true, false]) {
      const one: Framing = { lengthBytes: 4, lengthFormat, countsItself }
      const stream = Buffer.concat(['first', 'the second'].map((text) => frame(one, Buffer.from(text))))
      const reader = new FrameReader(one)
      const messages = [...stream].flatMap((byte) => reader.push(Buffer.from([byte])))
      assert.deepEqual(messages.map(String), ['first', 'the second'])
    }
})
