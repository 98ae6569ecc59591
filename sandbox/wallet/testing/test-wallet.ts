/** The wallet simulator for one test: in this process, over real HTTP, with a temporary folder. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Routes } from '../../kit/routes.ts'
import { createSandboxServer } from '../../kit/server.ts'
import { temporaryFolder } from '../../kit/testing/temporary-folder.ts'
import { keyPair } from '../key-pair.ts'
import { walletRoutes } from '../routes.ts'
import { Wallet } from '../wallet.ts'

interface KeyList {
  readonly keys: readonly { readonly protocolVersion: string; readonly keyExpiration: string }[]
}

/** The members of its answers that tests look at; an answer has those of its address, and a page has none. */
interface WalletAnswer {
  readonly certificate_pem: string
  readonly code: string
  readonly id: string
  readonly root_pem: string
  readonly state: string
  readonly token: string
  readonly url: string
  readonly before: readonly string[]
  readonly facts: {
    readonly card: string
    readonly public_key_hash: string
    readonly signed_at: string
    readonly expires_at: string
  }
  readonly expect: { readonly card: object }
  readonly session: { readonly url: string; readonly ca_pem: string }
  readonly wallet_b: { readonly TEST: KeyList; readonly PRODUCTION: KeyList }
  readonly cards: readonly { readonly name: string }[]
  readonly faults: readonly object[]
  readonly error: { readonly code: string; readonly message: string }
}

interface WalletReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: WalletAnswer
}

export const processingKey = keyPair(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

export const recipient = {
  merchant_identifier: 'merchant.example.shop',
  keys: [{ state: 'current', spki: processingKey.spki.toString('base64') }],
  gateway: 'gatehouse',
  gateway_merchant_id: '7b6f6a52-1f6e-11ee-be56-0242ac120002',
  environment: 'TEST',
}

export class TestWallet {
  readonly wallet: Wallet
  readonly url: string
  /** The test clock, in milliseconds; a test moves it. */
  readonly clock: { moment: number }

  constructor(wallet: Wallet, url: string, clock: { moment: number }) {
    this.wallet = wallet
    this.url = url
    this.clock = clock
  }

  mintA(fields: object = {}): Promise<WalletReply> {
    return this.post('/wallet/tokens', { wallet: 'walletapay', amount: '1.99', currency: 'USD', recipient, ...fields })
  }

  mintB(fields: object = {}): Promise<WalletReply> {
    return this.post('/wallet/tokens', { wallet: 'walletbpay', recipient, ...fields })
  }

  get(path: string): Promise<WalletReply> {
    return this.#ask(path, {})
  }

  post(path: string, body: object = {}): Promise<WalletReply> {
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body) })
  }

  submit(path: string, form: Record<string, string>): Promise<WalletReply> {
    return this.#ask(path, { method: 'POST', body: new URLSearchParams(form) })
  }

  async #ask(path: string, init: RequestInit): Promise<WalletReply> {
    const answer = await fetch(this.url + path, init)
    const text = await answer.text()
    const json = answer.headers.get('content-type') === 'application/json'
    return { status: answer.status, headers: answer.headers, text, body: json ? JSON.parse(text) : {} }
  }
}

interface Opening {
  readonly folder?: string
  /** The folder of the authority. All tests of a file share one by default, because its keys take long to find. */
  readonly authority?: string
  /** Additional routes of the test. */
  readonly more?: (wallet: Wallet) => Routes
}

export async function openWallet(
  t: TestContext,
  { folder, authority = createSharedFolder(), more = () => [] }: Opening = {},
): Promise<TestWallet> {
  const clock = { moment: Date.parse('2027-03-04T05:06:07.890Z') }
  const wallet = await Wallet.open(folder ?? (await temporaryFolder(t)), () => clock.moment, authority)
  const faults: unknown[] = []
  const server = createSandboxServer([walletRoutes(wallet), more(wallet)], (fault) => faults.push(fault))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await wallet.close()
    if (faults.length > 0) throw new Error('The wallet failed during the test.', { cause: faults[0] })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return new TestWallet(wallet, `http://127.0.0.1:${address.port}`, clock)
}

let sharedFolder: string | undefined

function createSharedFolder(): string {
  if (sharedFolder !== undefined) return sharedFolder
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-authority-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  sharedFolder = folder
  return folder
}
