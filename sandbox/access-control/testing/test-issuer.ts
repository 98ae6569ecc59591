/** The issuer for one test: in this process, over real HTTP, with a temporary folder. */
import type { TestContext } from 'node:test'
import { createSandboxServer } from '../../kit/server.ts'
import { temporaryFolder } from '../../kit/testing/temporary-folder.ts'
import { AccessControl } from '../access-control.ts'
import { accessControlRoutes } from '../routes.ts'

/** The members of its answers that tests look at; an answer has those of its address, and a page has none. */
interface IssuerAnswer {
  readonly acsTransID: string
  readonly authenticationValue: string
  readonly dsTransID: string
  readonly eci: string
  readonly messageVersion: string
  readonly pareq: string
  readonly threeDSServerTransID: string
  readonly transStatus: string
  readonly transStatusReason: string
  readonly authentications: readonly { readonly at: string; readonly transStatus: string }[]
  readonly error: { readonly code: string; readonly message: string }
}

interface IssuerReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: IssuerAnswer
}

export const returnUrl = 'https://pay.example.com/verify/3ds/p-1/5f0c3a9be1d24c7786a1f2d0b3c4e5f6'

export class TestIssuer {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** `expiry` is `MM/YYYY`, as in the table of test cards. */
  authenticate(expiry: string, fields: object = {}): Promise<IssuerReply> {
    return this.post('/3ds/authentications', {
      acctNumber: '4111111111111111',
      cardExpiryDate: expiry.slice(5) + expiry.slice(0, 2),
      paymentId: 'p-1',
      purchaseAmount: '1000',
      purchaseCurrency: 'EUR',
      notificationURL: returnUrl,
      merchantName: 'Example Shop',
      language: 'en',
      ...fields,
    })
  }

  result(threeDSServerTransID: string, pares: string): Promise<IssuerReply> {
    return this.post('/3ds/results', { threeDSServerTransID, pares })
  }

  /** What a browser posts to the page. */
  visit(form: Record<string, string>): Promise<IssuerReply> {
    return this.#ask('/sandbox/acs', { method: 'POST', body: new URLSearchParams(form) })
  }

  post(path: string, body: unknown): Promise<IssuerReply> {
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body) })
  }

  get(path: string, headers: Record<string, string> = {}): Promise<IssuerReply> {
    return this.#ask(path, { headers })
  }

  async #ask(path: string, init: RequestInit): Promise<IssuerReply> {
    const answer = await fetch(this.#url + path, init)
    const text = await answer.text()
    const json = answer.headers.get('content-type') === 'application/json'
    return { status: answer.status, headers: answer.headers, text, body: json ? JSON.parse(text) : {} }
  }
}

export async function openIssuer(t: TestContext, folder?: string): Promise<TestIssuer> {
  const accessControl = await AccessControl.open(folder ?? (await temporaryFolder(t)), () => 1_800_000_000_000)
  const faults: unknown[] = []
  const server = createSandboxServer([accessControlRoutes(accessControl)], (fault) => faults.push(fault))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await accessControl.close()
    if (faults.length > 0) throw new Error('The issuer failed during the test.', { cause: faults[0] })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return new TestIssuer(`http://127.0.0.1:${address.port}`)
}
