/**
 * A merchant with a whole gateway: the real app on real PostgreSQL, the real sandbox acquirer over HTTP, and a real receiver of callbacks.
 * Tests read like a merchant's story: `await shop.sale()`, `await shop.post('CAPTURE', …)`, `await shop.callback(…)`.
 */
import { pan10 } from '#domain/card.ts'
import { cardFormulas, type Digest, type Formula, sign } from '#domain/signature/signature.ts'
import type { ProcessContext } from '#server/assembly/process-context.ts'
import { readDemoCredentials } from '#server/demo/demo-data.ts'
import type { SandboxProcess } from '#server/demo/sandbox-process.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { type Service, wireService } from '#server/wiring.ts'
import { portOf } from './hosts/port-of.ts'
import { calmWorkers, type RareWorker } from './hosts/rare-workers.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from './receiver.ts'
import { type DatabaseBarrier, openShopEnvironment } from './shop-environment.ts'

export type Fields = Readonly<Record<string, string>>
export type RequestFields = Readonly<Record<string, string | undefined>>

export interface Answer {
  readonly http: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: decisions/tests#untyped-answers.
  readonly body: any
}

/** An entry of the sandbox's ledger, as far as tests read it. */
interface LedgerEntry {
  readonly payment_id: string
  readonly transaction_id: string
  readonly type: string
  readonly amount: string
  /** Of wallet payments only. */
  readonly wallet: {
    readonly token_sha256?: string
    readonly cryptogram_sent?: boolean
    readonly merchant_token_sent?: boolean
    readonly pan_type?: string
    readonly eci?: string
  }
}

interface Credentials {
  readonly name: string
  readonly key: string
  readonly test_key: string
  readonly password: string
}

export const goodCard: Fields = {
  card_number: '4111111111111111',
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '000',
}

export const payer: Fields = {
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: 'doe@example.com',
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  term_url_3ds: 'https://shop.example.com/return',
}

/** A SALE without card data. */
export const noCard: RequestFields = {
  card_number: undefined,
  card_exp_month: undefined,
  card_exp_year: undefined,
  card_cvv2: undefined,
}

export class Shop implements AsyncDisposable {
  readonly base: ProcessContext
  readonly service: Service
  readonly sandbox: SandboxProcess
  readonly receiver: Receiver
  readonly merchants: Map<string, Credentials>
  readonly url: string
  readonly #cleanups: readonly (() => Promise<void>)[]
  #orders = 0

  constructor(parts: {
    base: ProcessContext
    service: Service
    sandbox: SandboxProcess
    receiver: Receiver
    merchants: readonly Credentials[]
    url: string
    cleanups: readonly (() => Promise<void>)[]
  }) {
    this.base = parts.base
    this.service = parts.service
    this.sandbox = parts.sandbox
    this.receiver = parts.receiver
    this.merchants = new Map(parts.merchants.map((merchant) => [merchant.name, merchant]))
    this.url = parts.url
    this.#cleanups = parts.cleanups
  }

  merchant(name = 'demo'): Credentials {
    const merchant = this.merchants.get(name)
    if (!merchant) throw new Error(`There is no merchant ${name}.`)
    return merchant
  }

  /** A request exactly as given; undefined fields are left out. */
  raw(fields: RequestFields, { path, headers }: { path?: string; headers?: Fields } = {}): Promise<Answer> {
    return this.send({ ...(path && { path }), ...(headers && { headers }), body: formOf(fields) })
  }

  /** Any request at all, including what a form library would never send. */
  async send({ path = '/post', ...request }: RequestInit & { path?: string }): Promise<Answer> {
    const reply = await fetch(`${this.url}${path}`, { method: 'POST', ...request })
    const text = await reply.text()
    return { http: reply.status, headers: reply.headers, text, body: text.startsWith('{') ? JSON.parse(text) : null }
  }

  /** A SALE that settles, unless `over` changes it; the hash is computed by the matching formula. */
  sale(over: RequestFields = {}, as: As = {}): Promise<Answer> {
    return this.raw(this.saleFields(over, as), as)
  }

  /** The fields that `sale` sends, for tests that encode them themselves. */
  saleFields(over: RequestFields = {}, as: As = {}): RequestFields {
    this.#orders += 1
    const { key, password } = this.#signer(as)
    const fields: RequestFields = {
      action: 'SALE',
      client_key: key,
      order_id: `ORDER-${this.#orders}`,
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Shoes',
      ...(over['card_token'] ? {} : goodCard),
      ...payer,
      ...over,
    }
    const email = fields['payer_email']
    const number = fields['card_number']
    const hash = number
      ? this.sign(cardFormulas.start, { email, pan10: pan10(number) }, password, as.digest)
      : this.sign(cardFormulas.startWithToken, { email, card_token: fields['card_token'] }, password, as.digest)
    return { hash, ...fields }
  }

  /** A follow-up or look-up of a payment, signed by Formula 2 with the good card and payer unless `signedBy` differs. */
  followUp(
    action: string,
    transId: string,
    over: RequestFields = {},
    as: As & { signedBy?: SignedBy } = {},
  ): Promise<Answer> {
    const { key, password } = this.#signer(as)
    const values = { email: payer['payer_email'], pan10: '4111111111', ...as.signedBy, trans_id: transId }
    const hash = this.sign(cardFormulas.followUp, values, password, as.digest)
    return this.raw({ action, client_key: key, trans_id: transId, hash, ...over }, as)
  }

  byOrder(orderId: string, as: As & { signedBy?: SignedBy } = {}): Promise<Answer> {
    const { key, password } = this.#signer(as)
    const values = { email: payer['payer_email'], pan10: '4111111111', ...as.signedBy, order_id: orderId }
    const hash = this.sign(cardFormulas.byOrder, values, password, as.digest)
    return this.raw({ action: 'GET_TRANS_STATUS_BY_ORDER', client_key: key, order_id: orderId, hash }, as)
  }

  sign(
    formula: Formula,
    values: Readonly<Record<string, string | undefined>>,
    password: string,
    digest: Digest = 'md5',
  ): string {
    return sign(formula, values, { password, digest })
  }

  #signer({ merchant = 'demo', mode = 'live' }: As): { key: string; password: string } {
    const { key, test_key, password } = this.merchant(merchant)
    return { key: mode === 'live' ? key : test_key, password }
  }

  /** The callbacks of a payment so far, in the order of their arrival, after everything due was delivered. */
  async callbacks(transId: string): Promise<readonly ReceivedRequest[]> {
    await this.service.awaitIdle()
    return this.receiver.received.filter((callback) => callback.fields['trans_id'] === transId)
  }

  /**
   * Advances the clocks of the sandbox and of the gateway, and runs everything that became due. The sandbox first: if a gateway ahead of it
   * asked, it would not have decided yet.
   */
  async advance(milliseconds: number): Promise<void> {
    await fetch(`${this.sandbox.url}/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_ms: milliseconds }),
    })
    this.base.clock.moveTo(await instanceStore(this.base.pool).advanceClock(milliseconds))
    await this.service.awaitIdle()
  }

  /** What the sandbox acquirer executed for a payment. */
  async readExecuted(transId: string): Promise<readonly LedgerEntry[]> {
    const reply = await fetch(`${this.sandbox.url}/ledger`)
    const { entries } = (await reply.json()) as { entries: LedgerEntry[] }
    return entries.filter((entry) => entry.payment_id === transId)
  }

  /** Our own record of the money that a payment moved, such as `held -> settled 750`. */
  async postings(transId: string): Promise<readonly string[]> {
    const { rows } = await this.base.pool.query<{ posting: string }>(
      `select format('%s -> %s %s', from_account, to_account, amount_minor) as posting
       from ledger_entries where payment_id = $1 order by at, transaction_id, position`,
      [transId],
    )
    return rows.map(({ posting }) => posting)
  }

  async scenario(faults: object): Promise<void> {
    const reply = await fetch(`${this.sandbox.url}/scenario`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    })
    if (!reply.ok) throw new Error(`The sandbox refused the scenario: ${await reply.text()}`)
  }

  async clearScenario(): Promise<void> {
    await fetch(`${this.sandbox.url}/scenario`, { method: 'DELETE' })
  }

  /** Changes rows by SQL and waits until the configuration in memory has them. */
  async configure(statement: string, params: readonly unknown[] = []): Promise<void> {
    await this.base.pool.query(statement, [...params])
    await this.service.configuration.refresh()
  }

  /** Sets the options of a merchant's S2S CARD mapping; the others return to their defaults, except for payouts. */
  choose(options: object, merchant = 'demo'): Promise<void> {
    return this.configure(
      `update protocol_mappings set options = '{"payouts": true}' || $1::jsonb
       where protocol = 'S2S_CARD' and merchant_id = (select id from merchants where name = $2)`,
      [JSON.stringify(options), merchant],
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cleanup of this.#cleanups) await cleanup()
  }
}

/** A form as a browser or a library encodes it; undefined fields are left out. */
export function formOf(fields: RequestFields): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value)
  return form
}

/** Data of the payment that the hash of a follow-up covers. */
export interface SignedBy {
  readonly email?: string | undefined
  readonly pan10?: string
}

export interface As {
  readonly merchant?: string
  readonly mode?: 'live' | 'test'
  readonly digest?: Digest
  readonly path?: string
  readonly headers?: Fields
}

/**
 * Open one per test file: `const shop = await openShop()` and `after(() => shop[Symbol.asyncDispose]())`. Settings are those of
 * `config.ts`; `workers` are those that few tests need.
 */
export async function openShop(
  settings: Fields = {},
  workers: readonly RareWorker[] = [],
  { barrier, ...times }: { readonly bodyMs?: number; readonly barrier?: DatabaseBarrier } = {},
): Promise<Shop> {
  const { base, sandbox, cleanups } = await openShopEnvironment(settings, barrier)
  const receiver = await startReceiver()
  await base.pool.query('update merchants set notification_url = $1', [receiver.url])
  const service = await wireService(base, sandbox.url, { onWorkers: (all) => calmWorkers(all, workers), ...times })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(service.app.server)
  return new Shop({
    base,
    service,
    sandbox,
    receiver,
    merchants: await readDemoCredentials(base),
    url: `http://127.0.0.1:${port}`,
    cleanups: [() => service.stop(), () => receiver.stop(), ...cleanups],
  })
}
