/** Writes a row to the database every 50 ms through the gateway's proxy, which shows the gap that the cluster itself causes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { Pulse } from './pulse.ts'

const pauseMs = 50
const connectWithinMs = 2_000

export class WriteProbe {
  readonly pulse = new Pulse()
  readonly #url: string
  readonly #acknowledged: number[] = []
  #number = 0
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(url: string) {
    this.#url = url
  }

  async start(): Promise<void> {
    await this.#withClient((client) => client.query('create table failover_probe (number integer primary key)'))
    this.pulse.takeLongest()
    this.#running = this.#run()
  }

  /** The number of rows that were acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged.length
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Rows that were acknowledged and are not there; after `stop`. */
  async findLost(): Promise<readonly string[]> {
    await this.#running
    const { rows } = await this.#withClient((client) =>
      client.query<{ number: number }>('select number from failover_probe'),
    )
    const present = new Set(rows.map(({ number }) => number))
    return this.#acknowledged
      .filter((number) => !present.has(number))
      .map((number) => `Row ${number} was acknowledged and is lost`)
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#withClient((client) => this.#write(client)).catch(() => undefined)
      await sleep(pauseMs)
    }
  }

  async #write(client: Client): Promise<void> {
    while (!this.#isStopped) {
      this.#number += 1
      await client.query('insert into failover_probe (number) values ($1)', [this.#number])
      this.#acknowledged.push(this.#number)
      this.pulse.beat()
      await sleep(pauseMs)
    }
  }

  async #withClient<T>(use: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.#url, connectionTimeoutMillis: connectWithinMs })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await use(client)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
