/** The commands that move money and the points of each at which a process can die, as tables. Chapter 10 §6. */

export const commands = ['SALE', 'AUTH', 'CAPTURE', 'CREDITVOID', 'VOID'] as const
export type Command = (typeof commands)[number]

// biome-ignore format: a table is read in columns.
export const points = [
  // The process dies …
  'before-intent',   // … before the statement that writes the intent is sent
  'intent',          // … after the intent is durable, before a byte goes to the acquirer
  'sent',            // … after the request has left, before the answer arrives
  'answer',          // … as the acquirer's answer begins to arrive
  'before-outcome',  // … after the whole answer was read, before the statement that writes the outcome is sent
  'outcome',         // … after the outcome is durable, before the merchant is answered
] as const
export type Point = (typeof points)[number]

const opens = ['payment.open', 'payment.open-with-card'] as const
const begins = ['transaction.begin'] as const

// biome-ignore format: a table is read in columns.
export const intentStatements: Readonly<Record<Command, readonly string[]>> = {
  // command    statements that write its intent
  SALE:         opens,
  AUTH:         opens,
  CAPTURE:      begins,
  CREDITVOID:   begins,
  VOID:         begins,
}

/** What must be there once the gateway has recovered. */
export interface Expectation {
  /** Of the payment; null when there must be no payment. */
  readonly status: string | null
  /** At the acquirer, by the command itself. */
  readonly effects: number
}

// biome-ignore format: a table is read in columns.
const ends: Readonly<Record<Command, { readonly begun: string; readonly notBegun: string | null }>> = {
  // command                 status when carried out    status when it never began
  SALE:                    { begun: 'SETTLED',          notBegun: null      },
  AUTH:                    { begun: 'PENDING',          notBegun: null      },
  CAPTURE:                 { begun: 'SETTLED',          notBegun: 'PENDING' },
  CREDITVOID:              { begun: 'REFUND',           notBegun: 'SETTLED' },
  VOID:                    { begun: 'VOID',             notBegun: 'SETTLED' },
}

/** An intent that was written is carried out exactly once, whatever happened; one that was not leaves no trace. */
export function expected(command: Command, point: Point): Expectation {
  if (point === 'before-intent') return { status: ends[command].notBegun, effects: 0 }
  return { status: ends[command].begun, effects: 1 }
}

/** The flag that makes a gateway process die there. */
export function crashFlag(command: Command, point: Point): string {
  const hook = new URL('./crash-hook.ts', import.meta.url)
  hook.search = new URLSearchParams({ command, point }).toString()
  return `--import=${hook.href}`
}
