/**
 * The company's lines: one TCP port per format. A merchant signs on first; then messages come and go in any order.
 *
 * A message with the numbers of an earlier one is a repetition: it has no effect and gets the first answer again. An answer is written to the record
 * before it is sent, so that a crash loses the line and not what was done.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '#domain/json.ts'
import type { Account } from '../kit/accounts.ts'
import type { Books } from '../kit/books.ts'
import { type Faults, isExecuted } from '../kit/faults.ts'
import { type AnswerName, codeOf } from './codes.ts'
import { currencyOf } from './currencies.ts'
import { decide } from './host.ts'
import type { Item, PaymentRecord } from './record.ts'
import type { HostFormat, HostMessage } from './wire-format.ts'

interface LineParts {
  readonly format: HostFormat
  readonly books: Books<Item>
  readonly record: PaymentRecord
  readonly faults: Faults
  readonly accountOf: (terminal: string) => Account | undefined
}

/** Faults of lines only, by test amount. */
const lateAmount = '66607'
const wrongTraceAmount = '66608'
const lateMs = 1_500

export class LineServer {
  readonly #parts: LineParts
  readonly #server: Server = createServer((socket) => this.#serve(socket))
  readonly #sockets = new Set<Socket>()

  constructor(parts: LineParts) {
    this.#parts = parts
  }

  /** Returns the port. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The line has no port.')
    return address.port
  }

  async close(): Promise<void> {
    this.dropLines()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  dropLines(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    let held: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        const end = 2 + held.readUInt16BE(0)
        const message = this.#parts.format.read(held.subarray(2, end))
        held = held.subarray(end)
        // A host does not talk to a stranger.
        if (message) this.#take(message, socket).catch(() => socket.destroy())
        else socket.destroy()
      }
    })
  }

  async #take(message: HostMessage, socket: Socket): Promise<void> {
    if (message.mti.slice(1, 2) === '8') return this.#send(socket, message, { code: this.#code('signedOn') })
    const { books, faults, accountOf } = this.#parts
    const account = accountOf(message.fields.get(41)?.trim() ?? '')
    const currency = currencyOf(message.fields.get(49) ?? '')
    if (!account || currency === undefined) return this.#send(socket, message, { code: this.#code('merchant') })
    const key = [
      account.name,
      message.mti.slice(0, 3),
      ...[11, 7, 37].map((number) => message.fields.get(number)),
    ].join(' ')
    const amount = String(BigInt(message.fields.get(4) ?? '0'))
    const known = books.replyTo(key)
    const fault = known || books.hasMetFault(key) ? null : faults.next({ headers: {} }, amount)
    if (fault) books.write({ faulted: key })
    if (fault && !isExecuted(fault)) {
      await books.sync()
      if (fault === 'error') this.#send(socket, message, { code: this.#code('malfunction') })
      else socket.destroy()
      return
    }
    const answer = known ? answerIn(known.body) : this.#execute({ account, key, currency }, message)
    await books.sync()
    if (fault) return this.#fail(fault, socket)
    if (!known && amount === lateAmount) await sleep(lateMs, undefined, { ref: false })
    this.#send(socket, message, answer, !known && amount === wrongTraceAmount)
  }

  #execute(
    { account, key, currency }: { readonly account: Account; readonly key: string; readonly currency: string },
    message: HostMessage,
  ): Answer {
    const { books, record } = this.#parts
    const transactionId = message.fields.get(this.#parts.format.name === 'iso1987-ascii' ? 63 : 62)?.trim()
    const named = { ...message, fields: new Map([...message.fields, [49, currency]]) }
    const { answer: name, line = {} } = decide(record, account.name, named, transactionId)
    const code = this.#code(name)
    const isYes = name === 'approved' || name === 'reversed'
    const answer = { code, ...(isYes && { approvalCode: (message.fields.get(11) ?? '').padStart(6, '0') }) }
    books.write({ ...line, reply: { key, fingerprint: '', status: 200, body: answer } })
    return answer
  }

  /** What the merchant sees of a fault after the execution. */
  #fail(fault: NonNullable<ReturnType<Faults['next']>>, socket: Socket): void {
    if (fault === 'garbage') socket.write(Buffer.from('000c000000000000000000000000', 'hex'))
    else if (fault === 'reply-lost') socket.destroy()
  }

  #send(socket: Socket, { mti, fields }: HostMessage, { code, approvalCode }: Answer, isWrongTrace = false): void {
    if (socket.destroyed) return
    const echoed = [3, 4, 7, 11, 12, 24, 37, 41, 42, 49, 70].flatMap((number) => {
      const value = fields.get(number)
      return value === undefined ? [] : [[number, value] as const]
    })
    const wrongTrace = String((Number(fields.get(11)) % 999_999) + 1)
    const answer = {
      mti: `${mti.slice(0, 2)}${Number(mti[2]) + 1}${mti[3] === '4' ? '4' : '0'}`,
      fields: new Map([
        ...echoed,
        [39, code],
        ...(approvalCode === undefined ? [] : [[38, approvalCode] as const]),
        ...(approvalCode === undefined || !isCharge({ mti, fields })
          ? []
          : [[48, this.#networkId(approvalCode, fields.get(7) ?? '')] as const]),
        ...(isWrongTrace ? [[11, wrongTrace] as const] : []),
      ]),
    }
    const bytes = this.#parts.format.write(answer)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(bytes.length)
    socket.write(Buffer.concat([length, bytes]))
  }

  /** The card network's id of a charge, as the element of field 48 that has it in this format. */
  #networkId(approvalCode: string, transmitted: string): string {
    const id = `MCC${approvalCode}${transmitted.slice(0, 4)}`
    return this.#parts.format.name === 'iso1987-ascii' ? `63${id.length}${id}` : `0050${id.length}${id}`
  }

  #code(answer: AnswerName): string {
    return codeOf(answer, this.#parts.format.name)
  }
}

/** A sale or an authorisation: no advice, no reversal and no refund. */
const isCharge = ({ mti, fields }: HostMessage): boolean =>
  /^.[12]0/.test(mti) && !(fields.get(3) ?? '').startsWith('20')

interface Answer {
  readonly code: string
  readonly approvalCode?: string
}

/** Only this program writes the record. */
function answerIn(body: unknown): Answer {
  const { code, approvalCode } = isObject(body) ? body : {}
  return { code: String(code), ...(typeof approvalCode === 'string' && { approvalCode }) }
}
