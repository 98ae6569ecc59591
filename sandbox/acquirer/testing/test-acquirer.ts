/** A sandbox acquirer for one test: in this process, over real HTTP, with its own folder, which is deleted after the test. */
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { createSandboxServer } from '../../kit/server.ts'
import { temporaryFolder } from '../../kit/testing/temporary-folder.ts'
import { Acquirer } from '../acquirer.ts'
import { acquirerRoutes } from '../routes.ts'
import type { TokenRecord } from '../triggers/wallet-triggers.ts'

export interface AcquirerReply {
  readonly status: number
  readonly id: string
  readonly text: string
  readonly body: AcquirerAnswer
}

/** The members of the acquirer's answers that tests look at; an answer has those of its address, and a page has none. */
interface AcquirerAnswer {
  readonly amount: string
  readonly approval_code: string
  readonly arn: string
  readonly avs_result: string
  readonly crypto_address: string
  readonly crypto_network: string
  readonly currency: string
  readonly cvv_result: string
  readonly decline_class: string
  readonly descriptor: string
  readonly exchange_amount: string
  readonly exchange_currency: string
  readonly exchange_rate: string
  readonly exchange_rate_base: string
  readonly expires_at: string
  readonly mid: string
  readonly network_transaction_id: string
  readonly now: string
  readonly payment_path: string
  readonly reason: string
  readonly received: string
  readonly redirect_path: string
  readonly reference: string
  readonly return_url: string
  readonly rrn: string
  readonly state: string
  readonly stored_credential: string
  readonly token: string
  readonly transaction_id: string
  readonly voucher_reference: string
  readonly drop_answer: boolean
  readonly offset_ms: number
  readonly repeated_requests: number
  readonly scenarios: readonly object[]
  readonly entries: readonly LedgerEntry[]
  readonly chargebacks: readonly ReportedEvent[]
  readonly events: readonly ReportedEvent[]
  readonly error: { readonly code: string; readonly message: string }
}

interface LedgerEntry {
  readonly sequence: number
  readonly at: string
  readonly type: string
  readonly transaction_id: string
  readonly amount: string
  readonly order_id: string
  readonly brand: string
  readonly wallet: object
}

interface ReportedEvent {
  readonly sequence: number
  readonly kind: string
  readonly transaction_id: string
  readonly payment_id: string
  readonly mid: string
  readonly reference: string
  readonly state: string
  readonly chargeback: number
  readonly amount: string
  readonly bank_date: string
  readonly reason_code: string
}

export class TestAcquirer {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** Sends a first step with the given test card; `fields` add to the body or replace parts of it. */
  first(type: string, number: string, expiry: string, fields: object = {}): Promise<AcquirerReply> {
    return this.post(randomUUID(), firstBody(type, number, expiry, fields))
  }

  /** Sends a first step of a brand; `fields` add to the body or replace parts of it, `brand` to the brand. */
  brand(kind: string, identifier: string | null, fields: object = {}, brand: object = {}): Promise<AcquirerReply> {
    return this.post(randomUUID(), brandBody(kind, identifier, fields, brand))
  }

  /** Sends a wallet's sale; `card` is null if the token is passed on encrypted. */
  wallet(
    wallet: object,
    number: string | null,
    fields: object = {},
    id: string = randomUUID(),
  ): Promise<AcquirerReply> {
    const card = number === null ? undefined : { number, exp_month: 12, exp_year: 2031 }
    return this.post(id, { ...firstBody('sale', '', '12/2031'), card, wallet, ...fields })
  }

  /** Sends a later step on a transaction that `first` sent. */
  later(type: string, original: AcquirerReply, amount: string, fields: object = {}): Promise<AcquirerReply> {
    const { mid, transaction_id, currency } = original.body
    return this.post(randomUUID(), {
      type,
      mid,
      payment_id: `payment-of-${transaction_id}`,
      original_transaction_id: transaction_id,
      amount,
      currency,
      ...fields,
    })
  }

  async post(id: string, body: object): Promise<AcquirerReply> {
    const payment = Object.hasOwn(body, 'payment_id') ? {} : { payment_id: `payment-of-${id}` }
    return { ...(await this.ask('POST', '/v1/transactions', { ...payment, ...body }, { 'idempotency-key': id })), id }
  }

  status(id: string, mid = 'MID-1'): Promise<AcquirerReply> {
    return this.ask('GET', `/v1/transactions/${id}?mid=${mid}`)
  }

  async advance(ms: number): Promise<void> {
    await this.ask('POST', '/clock', { advance_ms: ms })
  }

  /** On the test clock, as a caller writes it. */
  async inAnHour(): Promise<string> {
    const { now } = (await this.ask('GET', '/clock')).body
    return new Date(Date.parse(now) + 3_600_000).toISOString()
  }

  /** Effects of one transaction, as the ledger lists them. */
  async effects(id: string): Promise<readonly string[]> {
    const { body } = await this.ask('GET', '/ledger')
    return body.entries
      .filter(({ transaction_id }) => transaction_id === id)
      .map(({ type, amount }) => `${type} ${amount}`)
  }

  /** Events that the acquirer reports by itself. */
  async events(since = 0): Promise<AcquirerAnswer['events']> {
    return (await this.ask('GET', `/v1/events?since=${since}`)).body.events
  }

  async ask(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<AcquirerReply> {
    const answer = await fetch(this.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    const json = answer.headers.get('content-type') === 'application/json'
    return { status: answer.status, id: '', text, body: json ? JSON.parse(text) : {} }
  }
}

export function firstBody(type: string, number: string, expiry: string, fields: object = {}): object {
  const [month, year] = expiry.split('/').map(Number)
  return {
    type,
    mid: 'MID-1',
    order_id: 'ORDER-1',
    amount: '1000',
    currency: 'EUR',
    ...(type === 'credit' ? {} : { card: { number, exp_month: month, exp_year: year, cvv: '987' } }),
    ...(type === 'credit' || type === 'transfer' ? { payee_card: number } : {}),
    ...fields,
  }
}

export function brandBody(kind: string, identifier: string | null, fields: object = {}, brand: object = {}): object {
  return {
    type: 'sale',
    mid: 'MID-1',
    order_id: 'ORDER-1',
    amount: '1000',
    currency: 'EUR',
    brand: { code: `a-${kind}`, kind, ...(identifier !== null && { identifier }), ...brand },
    return_url: 'https://pay.example.com/verify/redirect/0/0',
    descriptor: 'EXAMPLE SHOP',
    ...fields,
  }
}

/** A decision as one line: `declined hard Expired`. */
export const decisionText = ({ body }: AcquirerReply): string =>
  [body.state, body.decline_class, body.reason].filter(Boolean).join(' ')

interface OpenOptions {
  readonly tokens?: TokenRecord
  /** For a test that writes into the acquirer's own record. */
  readonly onOpen?: (acquirer: Acquirer) => void
}

export async function openTestAcquirer(t: TestContext, { tokens, onOpen }: OpenOptions = {}): Promise<TestAcquirer> {
  const folder = await temporaryFolder(t)
  const acquirer = await Acquirer.open(folder, tokens)
  onOpen?.(acquirer)
  const faults: unknown[] = []
  const server = createSandboxServer([acquirerRoutes(acquirer)], (fault) => faults.push(fault))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await acquirer.close()
    if (faults.length > 0) throw new Error('The acquirer failed during the test.', { cause: faults[0] })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return new TestAcquirer(`http://127.0.0.1:${address.port}`)
}
