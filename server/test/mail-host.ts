/** A mail server for tests: accepts SMTP and stores the messages. */
import { createServer, type Socket } from 'node:net'
import { portOf } from './hosts/port-of.ts'

interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Header lines and body, as received. */
  readonly text: string
}

export async function startMailHost() {
  const received: ReceivedMail[] = []
  /** Whether the next message is accepted; `silent` never answers. */
  const mood = { now: 'takes' as 'takes' | 'refuses' | 'silent' }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (mood.now !== 'silent') talk(socket, () => mood.now, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    mood,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Subject and body of a received message, decoded. */
export function readMail(text: string): { readonly subject: string; readonly body: string } {
  const [, head = '', body = ''] = /^([\s\S]*?)\n\n([\s\S]*)$/.exec(text) ?? []
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n')
  const header = (name: string): string =>
    lines.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  const encoding = header('content-transfer-encoding')
  return {
    subject: header('subject')
      .replace(/\?= =\?/g, '?==?')
      .replace(/=\?UTF-8\?([BQ])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
        kind.toUpperCase() === 'B' ? fromBase64(word) : fromQuoted(word.replaceAll('_', ' ')),
      ),
    body: encoding === 'base64' ? fromBase64(body) : encoding === 'quoted-printable' ? fromQuoted(body) : body,
  }
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8')

const fromQuoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll('=\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8')

function talk(socket: Socket, mood: () => string, received: ReceivedMail[]): void {
  let mail = { from: '', to: [] as string[] }
  let body: string[] | null = null
  /** The answer to a line; none to those of a body. */
  const answerTo = (line: string): string | null => {
    if (body && line !== '.') {
      body.push(line)
      return null
    }
    if (body) {
      received.push({ ...mail, text: body.join('\n') })
      body = null
      mail = { from: '', to: [] }
      return '250 taken'
    }
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (line.startsWith('MAIL')) mail.from = address
    if (line.startsWith('RCPT') && mood() === 'refuses') return '450 not now'
    if (line.startsWith('RCPT')) mail.to.push(address)
    if (line !== 'DATA') return line === 'QUIT' ? '221 bye' : '250 yes'
    body = []
    return '354 go on'
  }
  let rest = ''
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\r\n')
    rest = lines.pop() ?? ''
    for (const answer of lines.map(answerTo)) if (answer !== null) socket.write(`${answer}\r\n`)
  })
  socket.write('220 here\r\n')
}
