/**
 * The exchange between a page that shows a scan code and the phone that scans it (Chapter 40 §20.4). The page has the id, with which it
 * receives events; the phone has the code, with which it decides. Both are valid for five minutes and for one use.
 *
 * Nothing is stored on disk: codes end with the program, as if they had never been scanned.
 */
import { randomBytes, randomUUID } from 'node:crypto'

type ScanState = 'waiting' | 'opened' | 'confirmed' | 'cancelled' | 'expired'

/** What the sheet shows, and what the token is minted for. */
export interface ScanOrder {
  readonly shopName: string
  readonly domain: string
  readonly amount: string
  readonly currency: string
  /** The mint request without the phone's choices. */
  readonly mint: Readonly<Record<string, unknown>>
}

export interface Scan {
  readonly id: string
  readonly code: string
  readonly order: ScanOrder
  readonly expiresAt: Date
  state: ScanState
  /** The minted token; null before the confirmation. */
  minted: object | null
}

interface Confirmation {
  readonly osVersion: number
  /** Fields of the mint request that the phone chooses. */
  readonly choices: Readonly<Record<string, unknown>>
}

type Listener = (scan: Scan) => void

const LIFETIME_MS = 300_000
export const LEAST_OS_VERSION = 18
const EXPIRY_CHECK_MS = 500

export class ScanExchange {
  readonly #mint: (body: unknown) => Promise<object | string>
  readonly #now: () => Date
  readonly #byId = new Map<string, Scan>()
  readonly #byCode = new Map<string, Scan>()
  readonly #listeners = new Map<string, Set<Listener>>()
  #timer: NodeJS.Timeout | undefined

  constructor(mint: (body: unknown) => Promise<object | string>, now: () => Date) {
    this.#mint = mint
    this.#now = now
  }

  begin(order: ScanOrder): Scan {
    this.#forget()
    const expiresAt = new Date(this.#now().getTime() + LIFETIME_MS)
    const code = randomBytes(9).toString('base64url')
    const scan: Scan = { id: randomUUID(), code, order, expiresAt, state: 'waiting', minted: null }
    this.#byId.set(scan.id, scan)
    this.#byCode.set(code, scan)
    return scan
  }

  find(code: string): Scan | undefined {
    const scan = this.#byCode.get(code)
    if (scan) this.#expire(scan)
    return scan
  }

  /** The phone shows the sheet. */
  open(code: string): Scan | undefined {
    const scan = this.find(code)
    if (scan?.state === 'waiting') this.#become(scan, 'opened')
    return scan
  }

  /** A text is the reason for a refusal; the code stays usable then. */
  async confirm(code: string, { osVersion, choices }: Confirmation): Promise<Scan | string | undefined> {
    const scan = this.find(code)
    if (!scan || !isOpen(scan)) return scan
    if (!(osVersion >= LEAST_OS_VERSION)) return `A phone with OS ${LEAST_OS_VERSION} or later is required.`
    const minted = await this.#mint({ ...scan.order.mint, ...pickPhoneChoices(choices) })
    if (typeof minted === 'string') return minted
    // Of two concurrent confirmations the first decides.
    if (!isOpen(scan)) return scan
    scan.minted = minted
    this.#become(scan, 'confirmed')
    return scan
  }

  cancel(code: string): Scan | undefined {
    const scan = this.find(code)
    if (scan && isOpen(scan)) this.#become(scan, 'cancelled')
    return scan
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** Calls the listener with the current state, at once and on every change. Returns the function that ends it. */
  listen(id: string, listener: Listener): () => void {
    const scan = this.#byId.get(id)
    if (!scan) return () => undefined
    this.#expire(scan)
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    this.#timer ??= setInterval(() => this.#expireAll(), EXPIRY_CHECK_MS).unref()
    listener(scan)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(id)
      if (this.#listeners.size === 0) this.close()
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #become(scan: Scan, state: ScanState): void {
    scan.state = state
    for (const listener of this.#listeners.get(scan.id) ?? []) listener(scan)
  }

  #expire(scan: Scan): void {
    if (isOpen(scan) && this.#now() >= scan.expiresAt) this.#become(scan, 'expired')
  }

  #expireAll(): void {
    for (const id of this.#listeners.keys()) {
      const scan = this.#byId.get(id)
      if (scan) this.#expire(scan)
    }
  }

  /** Ended codes are kept for some time, so that the pages can still say how they ended. */
  #forget(): void {
    for (const scan of this.#byId.values()) {
      if (this.#now().getTime() < scan.expiresAt.getTime() + LIFETIME_MS) continue
      this.#byId.delete(scan.id)
      this.#byCode.delete(scan.code)
    }
  }
}

export const isOpen = ({ state }: Scan): boolean => state === 'waiting' || state === 'opened'

/** The phone chooses card, number and behaviour, but neither merchant nor amount. */
function pickPhoneChoices(choices: Confirmation['choices']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(choices).filter(([name]) => phoneChoices.includes(name)))
}

const phoneChoices = ['card', 'pan_type', 'fault']
