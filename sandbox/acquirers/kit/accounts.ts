/**
 * The merchant's two accounts at the company, one for live and one for test payments: secrets, created once, and the address to which
 * notifications go. The merchant enters that address as in a dashboard: `PUT /accounts/live/notifications` with `{"url": "…"}`.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '#domain/json.ts'
import { failure, type Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'

const accountNames = ['live', 'test'] as const
export type AccountName = (typeof accountNames)[number]

export interface Account {
  readonly name: AccountName
  /** Keys and names by which the account is known; the stand-in chooses which. */
  readonly secrets: Readonly<Record<string, string>>
  readonly notificationUrl: string | null
}

export class Accounts {
  readonly #file: string
  #accounts: readonly Account[]

  private constructor(file: string, accounts: readonly Account[]) {
    this.#file = file
    this.#accounts = accounts
  }

  static async open(folder: string, issue: (name: AccountName) => Account['secrets']): Promise<Accounts> {
    const file = join(folder, 'accounts.json')
    const text = await readFile(file, 'utf8').catch(() => null)
    // Only this program writes the file, whole or not at all.
    const stored: readonly Account[] | null = text === null ? null : JSON.parse(text)
    const accounts = new Accounts(
      file,
      stored ?? accountNames.map((name) => ({ name, secrets: issue(name), notificationUrl: null })),
    )
    if (!stored) await accounts.#store()
    return accounts
  }

  /** Undefined if no account has this value, such as an API key. */
  bySecret(name: string, value: string | undefined): Account | undefined {
    return this.#accounts.find(({ secrets }) => value !== undefined && secrets[name] === value)
  }

  byName(name: string): Account | undefined {
    return this.#accounts.find((account) => account.name === name)
  }

  /** Answers the merchant who enters the address of notifications. */
  async setNotificationUrl({ parameters: [name = ''], body }: Call): Promise<Reply> {
    const url = isObject(body) ? body.url : undefined
    if (!this.byName(name)) return failure(404, 'no_such_account', 'There is no such account.')
    if (typeof url !== 'string' || !URL.canParse(url)) return failure(400, 'invalid_request', 'Give url.')
    this.#accounts = this.#accounts.map((account) =>
      account.name === name ? { ...account, notificationUrl: url } : account,
    )
    await this.#store()
    return { status: 200, body: { account: name, url } }
  }

  async #store(): Promise<void> {
    await writeFile(`${this.#file}.new`, JSON.stringify(this.#accounts), { mode: 0o600 })
    await rename(`${this.#file}.new`, this.#file)
  }
}
