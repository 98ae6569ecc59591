/** Runs one case of the matrix: mints the token, sends it as the case says, and compares the answer with the chapter. */
import { z } from 'zod'
import { secret } from '#domain/secret.ts'
import { cardFormulas, type Digest, sign } from '#domain/signature/signature.ts'
import { readyRequests } from '#server/protocols/sandbox/simulator/ready-requests.ts'
import { askSimulator } from '../kit/gateway.ts'
import { type Cell, type MatrixProtocol, walletOfVersion } from './matrix-cells.ts'

/** A merchant for which tokens are minted, and which sends them. */
export interface Payee {
  readonly key: string
  readonly testKey: string
  readonly password: string
  readonly digest: Digest
}

export interface MatrixScene {
  /** The address of the running service. */
  readonly url: string
  readonly payees: { readonly card: Payee; readonly rsa: Payee; readonly virtual: Payee; readonly withoutWallet: Payee }
  /** A number that no earlier run has used. */
  readonly runId: string
  /** The check that refused the token of an order, from the record for support; null if there is none. */
  readonly readRefusal: (orderId: string) => Promise<string | null>
}

export interface Outcome {
  readonly cell: Cell
  readonly expected: string
  readonly actual: string
  readonly http: number
}

export const differs = ({ expected, actual, http }: Outcome): boolean => expected !== actual || http >= 500

export async function runCell(scene: MatrixScene, cell: Cell, index: number): Promise<Outcome> {
  const sale = new Sale(scene, cell, index)
  const { way } = cell
  if (way.kind === 'parallel') return parallelOutcome(cell, await sale.payInParallel(await sale.mint(way.fault), crowd))
  return { cell, expected: formatExpectation(cell.expected, cell.check), ...(await sale.payByWay()) }
}

/** Chapter 40 §19.2, row 48. */
const crowd = 20

interface Reply {
  readonly http: number
  readonly orderId: string
  readonly body: z.infer<typeof replyBody>
}

const violation = z.object({ error_message: z.string() })
const replyBody = z.looseObject({
  error_code: z.number().optional(),
  error_message: z.string().optional(),
  errors: z.array(violation).optional(),
})

const formatExpectation = (code: number | 'passes', check: string | null): string =>
  check === null ? String(code) : `${code} ${check}`

function parallelOutcome(cell: Cell, replies: readonly Reply[]): Outcome {
  const paid = replies.filter(({ body }) => body.error_code === undefined).length
  const refused = replies.filter(({ body }) => body.error_code === 250003).length
  const http = Math.max(...replies.map((reply) => reply.http))
  return { cell, expected: `1 passes, ${crowd - 1} x 250003`, actual: `${paid} passes, ${refused} x 250003`, http }
}

/** The prefix of every order of a run. */
export const ordersOf = (runId: string): string => `MATRIX-${runId}-`

class Sale {
  readonly #scene: MatrixScene
  readonly #cell: Cell
  readonly #index: number
  #sent = 0

  constructor(scene: MatrixScene, cell: Cell, index: number) {
    this.#scene = scene
    this.#cell = cell
    this.#index = index
  }

  async payByWay(): Promise<Pick<Outcome, 'actual' | 'http'>> {
    const { way, protocol } = this.#cell
    switch (way.kind) {
      case 'rewritten':
        return this.#judge(await this.#send(protocol, way.rewrite((await this.mint('none')).token)))
      case 'as other merchant':
        return this.#judge(
          await this.#send(protocol, (await this.mint('none')).token, this.#scene.payees.withoutWallet.key),
        )
      case 'by formula 1':
        return this.#judge(await this.#sendByFormula1((await this.mint('none')).token))
      default:
        return this.#judge(await this.#sendFaulty(way.kind, await this.mint(way.fault)))
    }
  }

  async #sendFaulty(kind: string, { token, before }: MintAnswer): Promise<Reply> {
    const { protocol, flow } = this.#cell
    for (const earlier of before) await this.#send(protocol, earlier)
    if (kind === 'twice') await this.#send(protocol, token)
    // In card flow, another protocol. In virtual flow any account accepts the token without a key, so another mode is used.
    if (kind === 'elsewhere first' && flow === 'card') await this.#send(other(protocol), token)
    if (kind === 'elsewhere first' && flow === 'virtual') await this.#send(protocol, token, this.#payee.testKey)
    return this.#send(protocol, token)
  }

  payInParallel({ token }: MintAnswer, times: number): Promise<readonly Reply[]> {
    return Promise.all(Array.from({ length: times }, () => this.#send(this.#cell.protocol, token)))
  }

  mint(fault: string): Promise<MintAnswer> {
    const { version } = this.#cell
    const order = { amount, currency, merchant_key: this.#payee.key }
    return askSimulator(this.#scene.url, '/tokens', mintAnswer, { wallet: this.#wallet, version, fault, ...order })
  }

  get #wallet(): 'walletapay' | 'walletbpay' {
    return walletOfVersion(this.#cell.version)
  }

  get #payee(): Payee {
    const { card, rsa, virtual } = this.#scene.payees
    if (this.#cell.flow === 'virtual') return virtual
    return this.#cell.version === 'RSA_v1' ? rsa : card
  }

  /** Asks for the check only if one decided: accepted tokens have none, nor have tokens that were refused before the checks. */
  async #judge({ http, orderId, body }: Reply): Promise<Pick<Outcome, 'actual' | 'http'>> {
    const { protocol, check } = this.#cell
    const code = body.error_code ?? 'passes'
    if (code === 100000 && !blamesToken(body, protocol) && this.#cell.way.kind !== 'by formula 1')
      return { http, actual: `${code} ${JSON.stringify(body.errors)}` }
    const decided = check === null || code === 'passes' ? null : await this.#scene.readRefusal(orderId)
    return { http, actual: formatExpectation(code, decided) }
  }

  #send(protocol: MatrixProtocol, token: string, clientKey = this.#payee.key): Promise<Reply> {
    const { orderId, requests } = this.#requests(token, clientKey)
    return post(protocol === 's2s-card' ? requests.s2s_card : requests.s2s_apm, orderId)
  }

  #sendByFormula1(token: string): Promise<Reply> {
    const { orderId, requests } = this.#requests(token, this.#payee.key)
    const { password, digest } = this.#payee
    const form = new URLSearchParams(requests.s2s_card.body)
    const values = { email: form.get('payer_email') ?? '', pan10: '4000001018' }
    form.set('hash', sign(cardFormulas.start, values, { password, digest }))
    return post({ ...requests.s2s_card, body: form.toString() }, orderId)
  }

  #requests(token: string, clientKey: string) {
    this.#sent += 1
    const { url: publicUrl, runId } = this.#scene
    const orderId = `${ordersOf(runId)}${this.#index}-${this.#sent}`
    const { withoutWallet } = this.#scene.payees
    const { password, digest } = clientKey === withoutWallet.key ? withoutWallet : this.#payee
    const requests = readyRequests({
      clientKey,
      password: secret(password),
      digests: { card: digest, apm: digest },
      publicUrl,
      wallet: this.#wallet,
      orderId,
      amount,
      currency,
      token,
    })
    return { orderId, requests }
  }
}

const amount = '1.99'
const currency = 'USD'

const mintAnswer = z.object({ token: z.string(), before: z.array(z.string()) })
type MintAnswer = z.infer<typeof mintAnswer>

const other = (protocol: MatrixProtocol): MatrixProtocol => (protocol === 's2s-card' ? 's2s-apm' : 's2s-card')

/** Chapter 40 §19.1: a malformed token is reported as a fault of its parameter. */
function blamesToken({ errors = [] }: Reply['body'], protocol: MatrixProtocol): boolean {
  const name = protocol === 's2s-card' ? 'payment_token' : 'parameters[paymentToken]'
  return errors.some(({ error_message }) => error_message === `${name}: This value is not valid.`)
}

const tooMany = 429

async function post({ url, body }: { readonly url: string; readonly body: string }, orderId: string): Promise<Reply> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await fetch(url, { method: 'POST', headers, body })
  const text = await reply.text()
  if (reply.status === tooMany) {
    const seconds = Number(reply.headers.get('retry-after') ?? 1)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    return post({ url, body }, orderId)
  }
  return { http: reply.status, orderId, body: replyBody.parse(text.startsWith('{') ? JSON.parse(text) : {}) }
}
