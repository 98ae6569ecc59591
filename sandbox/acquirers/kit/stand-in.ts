/**
 * What all stand-ins for real acquirers have in common. Each is another company: it has its own record and its own accounts, and knows the
 * gateway only as a merchant that calls its API.
 */
import type { Reply } from '../../kit/reply.ts'
import type { Routes } from '../../kit/routes.ts'
import { type Account, type AccountName, Accounts } from './accounts.ts'
import { Books, type Effect, type Line } from './books.ts'
import { advanceClock, readClock } from './clock.ts'
import { Faults } from './faults.ts'
import { type Execution, executeOnce, type IdempotentRequest } from './idempotency.ts'
import { type NotificationForm, NotificationSender } from './notification-sender.ts'

export interface StandIn {
  readonly routes: Routes
  readonly now: () => Date
  /** The company reports disputes, and `/disputes` opens them. */
  readonly reportsDisputes?: true
  /** What the company gives its merchant: the values of the connector's credentials, for each account. `url` is this program's. */
  credentials(url: string): Readonly<Record<AccountName, Readonly<Record<string, unknown>>>>
  close(): Promise<void>
}

/** Opens the record in the folder. */
export type OpenStandIn = (folder: string) => Promise<StandIn>

interface BaseOptions<Item> {
  readonly folder: string
  /** Secrets of a new account. */
  readonly issue: (name: AccountName) => Account['secrets']
  /** Changes the stand-in's own state by one item, now or after a restart. */
  readonly apply: (item: Item) => void
  /** Absent if the company sends no notifications. */
  readonly notifications?: NotificationForm
}

export interface Base<Item> {
  readonly books: Books<Item>
  readonly accounts: Accounts
  readonly faults: Faults
  /** `GET /ledger` and the addresses by which tests and the demo set the stand-in up. */
  readonly routes: Routes
  executeOnce(request: IdempotentRequest, execute: () => Execution<Item>): Promise<Reply | 'other-request'>
  /** Writes what happened without a request, such as a decision by the payer, and sends its notices. */
  write(line: Line<Item>): Promise<void>
  close(): Promise<void>
}

export async function openBase<Item>({ folder, issue, apply, notifications }: BaseOptions<Item>): Promise<Base<Item>> {
  const books = await Books.open(folder, apply)
  await readClock(folder)
  const accounts = await Accounts.open(folder, issue)
  const faults = new Faults()
  const sender = notifications && new NotificationSender(books, accounts, notifications)
  sender?.start()
  return {
    books,
    accounts,
    faults,
    routes: commonRoutes({ folder, books, accounts, faults, sender }),
    executeOnce: async (request, execute) => {
      const reply = await executeOnce({ books, faults }, request, execute)
      sender?.start()
      return reply
    },
    write: async (line) => {
      books.write(line)
      await books.sync()
      sender?.start()
    },
    close: async () => {
      sender?.stop()
      await books.close()
    },
  }
}

interface Parts<Item> extends Pick<Base<Item>, 'books' | 'accounts' | 'faults'> {
  readonly sender: NotificationSender | undefined
  readonly folder: string
}

/** The same for every company, so that one tool compares all ledgers with the merchant's record. */
const ledgerEntry = ({ transactionId, kind, amount, currency, state }: Effect) => ({
  transactionId,
  kind,
  amount,
  currency,
  state,
})

function commonRoutes<Item>({ folder, books, accounts, faults, sender }: Parts<Item>): Routes {
  return [
    [
      'GET /ledger',
      async () => {
        await books.sync()
        return { status: 200, body: books.effects.map(ledgerEntry) }
      },
    ],
    ['GET /health', async () => ({ status: 200, body: { status: 'ok' } })],
    ['PUT /accounts/:name/notifications', (call) => accounts.setNotificationUrl(call)],
    ['GET /notifications', async () => ({ status: 200, body: books.notices })],
    [
      'POST /notifications/:id/repeat',
      async ({ parameters: [id] }) => {
        const notice = books.notices.find((one) => one.id === id)
        const answer = notice && (await sender?.send(notice))
        return answer ? { status: 200, body: answer } : { status: 404, body: { error: 'Not sent.' } }
      },
    ],
    ['PUT /faults', (call) => faults.set(call)],
    ['DELETE /faults', () => faults.clear()],
    ['POST /clock', (call) => advanceClock(folder, call)],
  ]
}
