/**
 * The wallet simulator: phone, wallet and provider of both wallets (Chapter 40 §20). It mints tokens, stores them, and tells the sandbox
 * acquirer which card is behind a token that the gateway passes on unopened.
 *
 * It does not depend on the gateway: every request names the merchant for whom a token is minted, as a wallet provider knows its merchants.
 */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Journal } from '../kit/journal.ts'
import { failure, type Reply } from '../kit/reply.ts'
import type { PanType } from './cards.ts'
import { Authority } from './certificates/authority.ts'
import { expectations } from './mint/faults.ts'
import { mint } from './mint/mint.ts'
import { readMintRequest } from './mint/mint-request.ts'
import { ScanExchange } from './phone/scan.ts'
import { SessionService } from './session-service.ts'
import { tokenIdOf } from './token-id.ts'

/** What the journal stores of a token. */
interface MintRecord {
  readonly kind: 'mint'
  readonly id: string
  /** The id that replay checks use, hexadecimal. */
  readonly tokenId: string
  readonly card: string
  readonly panType: PanType
  /** The answer, to be repeated on request. */
  readonly answer: MintAnswer
}

export interface MintAnswer {
  readonly id: string
  readonly token: string
  readonly before: readonly string[]
  readonly facts: Readonly<Record<string, string | null>>
  readonly expect: ReturnType<typeof expectations>
}

/** The domains on which a merchant may show the button, as registered with the wallet provider. */
interface RegistrationRecord {
  readonly kind: 'registration'
  readonly merchantIdentifier: string
  readonly domains: readonly string[]
}

type JournalRecord = MintRecord | RegistrationRecord

export class Wallet {
  readonly authority: Authority
  readonly scans: ScanExchange
  readonly sessions: SessionService
  readonly #book: Book
  readonly #journal: Journal<JournalRecord>

  private constructor(authority: Authority, journal: Journal<JournalRecord>, book: Book) {
    this.authority = authority
    this.#journal = journal
    this.#book = book
    this.scans = new ScanExchange(
      (body) => this.mint(body),
      () => authority.now(),
    )
    this.sessions = new SessionService(authority, (identifier) => book.domains.get(identifier))
  }

  /** `authorityFolder` may be shared by several sandboxes, which then act as one wallet provider. */
  static async open(folder: string, now: () => number, authorityFolder = folder): Promise<Wallet> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const book = new Book()
    const journal = await Journal.open<JournalRecord>(join(folder, 'journal.jsonl'), (record) => book.apply(record))
    return new Wallet(await Authority.open(authorityFolder, now), journal, book)
  }

  /** A text is an error message for the request. */
  async mint(body: unknown): Promise<MintAnswer | string> {
    const request = readMintRequest(body)
    if (typeof request === 'string') return request
    const minted = await mint(this.authority, request)
    if (typeof minted === 'string') return minted
    const { token, before, tokenId, facts } = minted
    const { card, panType, fault, version } = request
    const answer = { id: randomUUID(), token, before, facts, expect: expectations(fault, version) }
    this.#commit({ kind: 'mint', id: answer.id, tokenId, card: card.name, panType, answer })
    await this.#journal.sync()
    return answer
  }

  /** Returns the same token again. */
  findMinted(id: string): Reply {
    const known = this.#book.byId.get(id)
    return known ? { status: 200, body: known.answer } : failure(404, 'token_not_found', 'This token is unknown.')
  }

  /** The card behind a token that was passed on unopened; null if it was not minted here, like that of a real device. */
  cardOfToken(tokenText: string): { readonly card: string; readonly panType: PanType } | null {
    const tokenId = tokenIdOf(tokenText)
    return (tokenId === null ? undefined : this.byTokenId(tokenId)) ?? null
  }

  byTokenId(tokenId: string): MintRecord | undefined {
    return this.#book.byTokenId.get(tokenId)
  }

  async register(merchantIdentifier: string, domains: readonly string[]): Promise<void> {
    this.#commit({ kind: 'registration', merchantIdentifier, domains })
    await this.#journal.sync()
  }

  async close(): Promise<void> {
    this.scans.close()
    await this.sessions.close()
    await this.#journal.close()
  }

  #commit(record: JournalRecord): void {
    this.#journal.append(record)
    this.#book.apply(record)
  }
}

class Book {
  readonly byId = new Map<string, MintRecord>()
  readonly byTokenId = new Map<string, MintRecord>()
  readonly domains = new Map<string, readonly string[]>()

  apply(record: JournalRecord): void {
    if (record.kind === 'registration') {
      this.domains.set(record.merchantIdentifier, record.domains)
      return
    }
    this.byId.set(record.id, record)
    this.byTokenId.set(record.tokenId, record)
  }
}
