/** A TCP server that stands in for any host in tests: it remembers what it was sent and answers as it was told. */
import { createServer, type Socket } from 'node:net'
import { FrameReader, frame } from '../../lines/framing.ts'
import { answerType, type Message, packMessage, unpackMessage } from '../codec/message.ts'
import type { Dialect } from '../dialect.ts'

export type Behaviour = (message: Message, socket: Socket) => void

export class FakeHost {
  readonly #dialect: Dialect
  readonly #server = createServer((socket) => this.#serve(socket))
  readonly #sockets = new Set<Socket>()
  #behaviour: Behaviour = () => undefined
  #signsOn = true
  #sent: Message[] = []
  #connections = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    return address.port
  }

  async close(): Promise<void> {
    this.dropLines()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  dropLines(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  get connections(): number {
    return this.#connections
  }

  /** Requests since it was last told how to behave; sign-ons and echoes are not among them. */
  get sent(): readonly Message[] {
    return this.#sent
  }

  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour
    this.#sent = []
  }

  /** Answers with this code, and with whatever else is given. */
  answer(code: string, more: Readonly<Record<number, string>> = {}): void {
    this.behave((message, socket) => this.reply(socket, message, { [this.#dialect.answer.code]: code, ...more }))
  }

  refuseSignOns(): void {
    this.#signsOn = false
  }

  /** Repeats what a host repeats; `changes` replace it. */
  reply(
    socket: Socket,
    { mti, fields }: Message,
    changes: Readonly<Record<number, string>>,
    type = answerType(mti),
  ): void {
    this.write(socket, this.#answer(fields, changes, type))
  }

  /** The length in front of the message is wrong by so many bytes. */
  replyWithLength(socket: Socket, message: Message, changes: Readonly<Record<number, string>>, error: number): void {
    const bytes = frame(this.#dialect.framing, this.#answer(message.fields, changes, answerType(message.mti)))
    bytes.writeUInt16BE(bytes.readUInt16BE(0) + error)
    socket.write(bytes)
  }

  #answer(fields: Message['fields'], changes: Readonly<Record<number, string>>, mti: string): Buffer {
    const echoed = [3, 4, 7, 11, 12, 37, 41, 42, 49].flatMap((number) => {
      const value = fields.get(number)
      return value === undefined ? [] : [[number, value] as const]
    })
    const changed = Object.entries(changes).map(([number, value]) => [Number(number), value] as const)
    return packMessage(this.#dialect, { mti, fields: new Map([...echoed, ...changed]) })
  }

  write(socket: Socket, message: Buffer): void {
    socket.write(frame(this.#dialect.framing, message))
  }

  #serve(socket: Socket): void {
    this.#connections += 1
    this.#sockets.add(socket)
    const reader = new FrameReader(this.#dialect.framing)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of reader.push(chunk)) this.#take(unpackMessage(this.#dialect, bytes), socket)
    })
  }

  #take(message: Message, socket: Socket): void {
    if (message.mti === this.#dialect.messages.signOn?.mti) {
      const [accepted = ''] = this.#dialect.signedOn
      const refused = accepted.length === 3 ? '909' : '96'
      this.reply(socket, message, { [this.#dialect.answer.code]: this.#signsOn ? accepted : refused })
      return
    }
    this.#sent.push(message)
    this.#behaviour(message, socket)
  }
}
