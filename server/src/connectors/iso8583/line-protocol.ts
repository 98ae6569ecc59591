/** The dialect's messages as a line needs them: sign-on, echo, and which answer belongs to which request. */
import { randomInt } from 'node:crypto'
import type { LineProtocol } from '../lines/protocol.ts'
import { scrub } from '../scrub.ts'
import { codeOf } from './answer.ts'
import { FieldError } from './codec/field.ts'
import { answerType, isAnswer, type Message, packMessage, unpackMessage } from './codec/message.ts'
import { readSubfields } from './codec/subfields.ts'
import type { Dialect, DialectMessage } from './dialect.ts'
import { templatesOf, textsOf } from './message-layout.ts'
import { numbersOf } from './original.ts'
import { write } from './request.ts'
import { namesIn, secretNames } from './template.ts'

/** Sign-ons and echoes are numbered by each process from a place of its own, so that those of two processes differ. */
export function lineProtocol(dialect: Dialect, firstNumber = randomInt(1, lastNumber)): LineProtocol {
  let networkNumber = firstNumber
  const secretNumbers = secretFieldsOf(dialect)
  const network = (message: DialectMessage | undefined, at: Date): Buffer | null => {
    if (!message) return null
    const numbers = {
      ...numbersOf({ transactionId: '', createdAt: at }, 'request'),
      stan: String(networkNumber),
    }
    networkNumber = (networkNumber % lastNumber) + 1
    return write(dialect, message, numbers).bytes
  }
  return {
    framing: dialect.framing,
    exchangeKey: (bytes) => {
      const message = readOrNull(dialect, bytes)
      if (!message) return null
      // Version and class: an advice, its repetition and the answer to both have them in common.
      return [
        message.mti.slice(0, 2),
        ...dialect.matchBy.map((number) => message.fields.get(number)?.trim() ?? ''),
      ].join(' ')
    },
    signOn: (at) => network(dialect.messages.signOn, at),
    echo: (at) => network(dialect.messages.echo, at),
    isAccepted: (reply) => {
      const message = readOrNull(dialect, reply)
      return message !== null && isAnswer(message.mti) && dialect.signedOn.includes(codeOf(dialect, message))
    },
    replyTo: (bytes) => replyToHost(dialect, bytes),
    describe: (bytes, request) => {
      const message = readOrNull(dialect, bytes)
      if (!message) return 'A message that cannot be read.'
      const question = request ? readOrNull(dialect, request) : null
      const shown = { mti: message.mti, ...Object.fromEntries(message.fields) }
      return scrub(shown, secretNumbers, question ? secretValues(dialect, question, secretNumbers) : [])
    },
  }
}

const lastNumber = 999_999

/** A host asks by itself whether we are there; it asks for no money. */
function replyToHost(dialect: Dialect, bytes: Buffer): Buffer | null {
  const message = readOrNull(dialect, bytes)
  const { echo, signOn } = dialect.messages
  if (!message || ![echo?.mti, signOn?.mti].includes(message.mti)) return null
  const code = dialect.signedOn[0] ?? ''
  return packMessage(dialect, {
    mti: answerType(message.mti),
    fields: new Map([...message.fields, [dialect.answer.code, code]]),
  })
}

function readOrNull(dialect: Dialect, bytes: Buffer): Message | null {
  try {
    return unpackMessage(dialect, bytes)
  } catch (error) {
    if (error instanceof FieldError) return null
    throw error
  }
}

/** Of the standard: numbers and tracks of cards, PINs, private data and chip data. */
const alwaysSecret = [2, 14, 34, 35, 36, 45, 48, 52, 53, 55].map(String)

function secretFieldsOf(dialect: Dialect): readonly string[] {
  const messages = Object.values(dialect.messages).flatMap((message) => message ?? [])
  const named = messages.flatMap((message) =>
    Object.entries(templatesOf(dialect, message))
      .filter(([, field]) =>
        textsOf(field)
          .flatMap(namesIn)
          .some((name) => secretNames.has(name)),
      )
      .map(([number]) => number),
  )
  return [...new Set([...alwaysSecret, ...named])]
}

/** Selects the values that the host may quote elsewhere, so that logs hide them there, too. */
function secretValues(dialect: Dialect, { fields }: Message, numbers: readonly string[]): readonly string[] {
  return numbers.flatMap((number) => {
    const value = fields.get(Number(number))
    if (value === undefined) return []
    const format = dialect.subfields[number]
    return [value, ...(format ? readSubfields(format, value).values() : [])]
  })
}
