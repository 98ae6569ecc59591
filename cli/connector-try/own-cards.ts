/** Cards of the operator's own, in place of the connector's test cards. */
import { z } from 'zod'
import type { TestCards } from '#server/contracts/test-cards.ts'
import { readValue } from '#server/contracts/value-faults.ts'
import { CommandError, UsageError } from '../kit/command-error.ts'
import type { CommandContext } from '../kit/context.ts'
import { readText } from '../kit/text-source.ts'

const card = z
  .strictObject({
    number: z.string().regex(/^[0-9]{12,19}$/, 'Give 12 to 19 digits.'),
    month: z.int().min(1).max(12),
    year: z.int().min(2000).max(2099),
    code: z.string().regex(/^[0-9]{3,4}$/, 'Give 3 or 4 digits.'),
    holder: z.string().min(1).optional(),
    amount: z.string().optional(),
  })
  .transform(({ number, month, year, code, holder, amount }) => ({
    number,
    expiryMonth: month,
    expiryYear: year,
    verificationCode: code,
    ...(holder !== undefined && { holder }),
    ...(amount !== undefined && { amount }),
  }))

const cards = z.strictObject({
  approved: card,
  declined: card.nullable().default(null),
  authenticated: card.nullable().default(null),
})

export async function readCards(source: string, context: CommandContext): Promise<TestCards> {
  // On the command line the number would be in the shell's history and in the list of processes.
  if (!source.startsWith('@')) throw new UsageError('--cards takes a file: @FILE, or @- for standard input.', remedy)
  const reading = readValue(cards, jsonOf(await readText(source, context)))
  if (reading.ok) return reading.value
  const faults = reading.faults.map(({ path, text }) => `  - ${path || 'cards'}: ${text}`)
  throw new CommandError(`The cards are not valid:\n${faults.join('\n')}`, remedy)
}

const remedy =
  'For example {"approved":{"number":"4111111111111111","month":1,"year":2038,"code":"123"}}; "declined" and "authenticated" are optional.'

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the JSON parser quotes the text, which contains card numbers.
    throw new CommandError('The cards are not JSON.', remedy)
  }
}
