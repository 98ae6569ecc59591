/** Sends notifications of an acquirer as fast as they are answered. */
import { Client } from 'undici'
import { adyenNotification } from '../stage/stand-ins/adyen-notification.ts'

interface Signer {
  readonly merchantAccount: string
  readonly hmacKey: string
}

const path = '/acquirers/adyen-live/notifications'
/** One of every ten goes to two processes at the same moment. */
const copiedEvery = 10

export class NotificationLoad {
  readonly #urls: readonly string[]
  readonly #references: readonly string[]
  readonly #signer: Signer
  #sent = 0
  #copies = 0
  #refused = 0

  constructor(urls: readonly string[], references: readonly string[], signer: Signer) {
    this.#urls = urls
    this.#references = references
    this.#signer = signer
  }

  /** Without copies. */
  get sent(): number {
    return this.#sent
  }

  get copies(): number {
    return this.#copies
  }

  get refused(): number {
    return this.#refused
  }

  async send(count: number, connections: number): Promise<void> {
    const until = this.#sent + count
    await Promise.all(Array.from({ length: connections }, (_, lane) => this.#sendUntil(until, lane)))
  }

  async #sendUntil(until: number, lane: number): Promise<void> {
    const clients = this.#urls.map((url) => new Client(url, { pipelining: 1 }))
    // By turns, so that each process gets its part.
    const [own, ...others] = [...clients.slice(lane % clients.length), ...clients.slice(0, lane % clients.length)]
    const second = others[0]
    while (own && this.#sent < until) {
      this.#sent += 1
      const number = this.#sent
      const merchantReference = this.#references[number % this.#references.length] ?? ''
      const body = adyenNotification({ ...this.#signer, pspReference: `FLOOD${number}`, merchantReference })
      if (second && number % copiedEvery === 0) {
        this.#copies += 1
        await Promise.all([this.#post(own, body), this.#post(second, body)])
      } else await this.#post(own, body)
    }
    await Promise.all(clients.map((client) => client.close()))
  }

  async #post(client: Client, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const { statusCode, body: answer } = await client.request({ method: 'POST', path, headers, body })
    await answer.dump()
    if (statusCode !== 200) this.#refused += 1
  }
}
