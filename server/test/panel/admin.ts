/** Users of the panel with permissions, and a client that keeps their cookie and sends what the panel would send. */

import { createUser, type Rights } from '#server/panel/access/users.ts'
import type { AdminContext } from '#server/panel/context.ts'
import { machineTime } from '#server/process/clock.ts'
import type { Answer, Shop } from '../shop.ts'

export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly password: string
}

export class PanelClient {
  readonly #url: string
  readonly #more: Readonly<Record<string, string>>
  cookie = ''
  csrf = ''

  constructor(url: string, more: Readonly<Record<string, string>> = {}) {
    this.#url = url
    this.#more = more
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const hasBody = method !== 'GET' && (method !== 'DELETE' || body !== undefined)
    const reply = await fetch(`${this.#url}/admin/api${path}`, {
      method,
      headers: {
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(this.csrf === '' ? {} : { 'x-csrf-token': this.csrf }),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...this.#more,
        ...headers,
      },
      ...(hasBody ? { body: JSON.stringify(body ?? {}) } : {}),
    })
    const text = await reply.text()
    const set = reply.headers.get('set-cookie')
    if (set !== null) this.cookie = set.split(';')[0] ?? ''
    const isJson = /^application\/json(;|$)/.test(reply.headers.get('content-type') ?? '')
    return { http: reply.status, headers: reply.headers, text, body: isJson ? JSON.parse(text) : null }
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path)
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.send('POST', path, body)
  }

  async signIn(
    { email, password }: { readonly email: string; readonly password: string },
    code?: string,
  ): Promise<Answer> {
    const answer = await this.post('/session', { email, password, ...(code === undefined ? {} : { code }) })
    if (answer.http === 200) this.csrf = answer.body.csrf
    return answer
  }
}

export const adminContext = ({ base }: Shop): AdminContext => ({ ...base, machine: machineTime(base.clock) })

/** What happens while the end of an approval cannot be stored, as if the process died there. */
export async function withoutApprovalEnds<T>({ base: { pool } }: Shop, work: () => Promise<T>): Promise<T> {
  await pool.query(
    `create or replace function refuse_end() returns trigger language plpgsql as 'begin raise exception ''no end''; end'`,
  )
  await pool.query(
    `create trigger refuse_end before update on approvals for each row when (new.state = 'done') execute function refuse_end()`,
  )
  try {
    return await work()
  } finally {
    await pool.query('drop trigger refuse_end on approvals')
  }
}

let userCount = 0

/** With a password that need not be changed first. */
export async function makeUser(shop: Shop, rights: Partial<Rights> = {}): Promise<Person> {
  userCount += 1
  const wishes = {
    email: `person${userCount}@example.com`,
    name: `Person ${userCount}`,
    role: 'owner',
    allMerchants: true,
    merchantIds: [],
  }
  const giver = { actor: { label: 'command line', address: null }, userId: null, grant: 'everything' } as const
  const { user, password } = await createUser(adminContext(shop), giver, { ...wishes, ...rights })
  await shop.base.pool.query('update users set password_temporary = false where id = $1', [user.id])
  return { id: user.id, name: user.name, email: user.email, password: password.reveal() }
}

/** A user who is already signed in. */
export async function panelOf(shop: Shop, rights: Partial<Rights> = {}): Promise<PanelClient & { person: Person }> {
  const person = await makeUser(shop, rights)
  const browser = new PanelClient(shop.url)
  const answer = await browser.signIn(person)
  if (answer.http !== 200) throw new Error(`The sign-in failed: ${answer.text}`)
  return Object.assign(browser, { person })
}

export async function merchantId({ base }: Shop, name: string): Promise<string> {
  const { rows } = await base.pool.query<{ id: string }>('select id from merchants where name = $1', [name])
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`There is no merchant ${name}.`)
  return id
}

/** Two people record how the acquirer decided a dispute; `at` is its path. */
export async function decideDispute(
  at: string,
  decision: 'won' | 'lost',
  [asker, approver]: readonly [PanelClient, PanelClient],
  over: object = {},
): Promise<void> {
  const wish = { decision, reason: 'Decided', evidence: 'Letter of the acquirer', ...over }
  const request = await asker.post(`${at}/decision`, wish)
  const { body, text } = await approver.post(`/approvals/${request.body.approvalId}/approve`, {})
  if (body.state !== 'done') throw new Error(`The dispute was not decided. ${request.text} ${text}`)
}
