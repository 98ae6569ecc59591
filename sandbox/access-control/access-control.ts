/**
 * The issuer's part of 3-D Secure without HTTP: the directory that knows which cards are enrolled, and the access-control server that
 * authenticates cardholders. Chapter 10 §12: number and expiry decide what happens.
 *
 * It does not depend on the gateway, and on the acquirer only for the table of test cards. Everything is written to disk before it is
 * answered.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { maskCard, networkOf } from '#domain/card.ts'
import { payerStepOf } from '../acquirer/triggers/trigger-choice.ts'
import { Journal } from '../kit/journal.ts'
import { failure, type Reply } from '../kit/reply.ts'
import { ensureSalt } from '../kit/salt.ts'
import { type Authentication, allowsFrame, eciOf, type JournalRecord, transStatusOf } from './authentication.ts'
import { type AuthenticationRequest, readAuthentication, readResult } from './request.ts'

const MESSAGE_VERSION = '2.2.0'

export class AccessControl {
  readonly #byId: Map<string, Authentication>
  readonly #journal: Journal<JournalRecord>
  readonly #salt: string
  readonly #now: () => number

  private constructor(
    byId: Map<string, Authentication>,
    journal: Journal<JournalRecord>,
    salt: string,
    now: () => number,
  ) {
    this.#byId = byId
    this.#journal = journal
    this.#salt = salt
    this.#now = now
  }

  static async open(folder: string, now: () => number): Promise<AccessControl> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const byId = new Map<string, Authentication>()
    const journal = await Journal.open<JournalRecord>(join(folder, 'journal.jsonl'), (record) => apply(byId, record))
    return new AccessControl(byId, journal, await ensureSalt(folder), now)
  }

  async authenticate(body: unknown): Promise<Reply> {
    const request = readAuthentication(body)
    if (typeof request === 'string') return failure(400, 'invalid_request', request)

    const transStatus = statuses[payerStepOf(request.number, request.expiry)]
    if (transStatus === null) return { status: 200, body: { enrolled: false } }
    return this.#tell(await this.#begin(request, transStatus))
  }

  /** The answer from the payer's browser decides a challenge once; later questions get the same result. */
  async result(body: unknown): Promise<Reply> {
    const request = readResult(body)
    if (typeof request === 'string') return failure(400, 'invalid_request', request)
    const { threeDSServerTransID, pares } = request
    const authentication = this.#byId.get(threeDSServerTransID)
    if (!authentication) return failure(404, 'authentication_not_found', 'This authentication is unknown.')

    if (transStatusOf(authentication) === 'C') {
      const transStatus = pares === 'approve' ? 'Y' : 'N'
      this.#commit({ kind: 'result', threeDSServerTransID, transStatus, at: this.#now() })
    }
    await this.#journal.sync()
    return this.#tell(authentication)
  }

  find(threeDSServerTransID: string): Authentication | undefined {
    return this.#byId.get(threeDSServerTransID)
  }

  /** For comparison with the gateway's own record, oldest first. */
  ofPayment(paymentId: string): readonly Authentication[] {
    return [...this.#byId.values()].filter(({ record }) => record.paymentId === paymentId)
  }

  close(): Promise<void> {
    return this.#journal.close()
  }

  async #begin(request: AuthenticationRequest, transStatus: 'Y' | 'C'): Promise<Authentication> {
    const { number, expiry: _, ...kept } = request
    const authentication = this.#commit({
      kind: 'authentication',
      threeDSServerTransID: randomUUID(),
      dsTransID: randomUUID(),
      acsTransID: randomUUID(),
      ...kept,
      card: maskCard(number),
      network: networkOf(number) ?? null,
      transStatus,
      at: this.#now(),
    })
    await this.#journal.sync()
    return authentication
  }

  #commit(record: JournalRecord): Authentication {
    this.#journal.append(record)
    return apply(this.#byId, record)
  }

  #tell(authentication: Authentication): Reply {
    const { threeDSServerTransID, dsTransID, acsTransID, network } = authentication.record
    const transStatus = transStatusOf(authentication)
    return {
      status: 200,
      body: {
        messageVersion: MESSAGE_VERSION,
        threeDSServerTransID,
        dsTransID,
        acsTransID,
        transStatus,
        ...(transStatus === 'C' && { pareq: pareqOf(authentication), frame: allowsFrame(authentication) }),
        ...(transStatus !== 'C' && { eci: eciOf(network, transStatus) }),
        ...(transStatus === 'N' && { transStatusReason: CARD_AUTHENTICATION_FAILED }),
        ...(transStatus === 'Y' && { authenticationValue: this.#authenticationValue(acsTransID) }),
      },
    }
  }

  /** Twenty bytes, computed each time, because a proof of authentication must not be stored. */
  #authenticationValue(acsTransID: string): string {
    return createHmac('sha256', this.#salt).update(acsTransID).digest().subarray(0, 20).toString('base64')
  }
}

const CARD_AUTHENTICATION_FAILED = '01'

/** Null: the card is not enrolled. Redirects and pending payments are handled by the acquirer alone. */
const statuses = { none: null, redirect: null, money: null, frictionless: 'Y', '3ds': 'C' } as const

/** The challenge request, from which the page knows its authentication. */
function pareqOf({ record: { threeDSServerTransID, acsTransID } }: Authentication): string {
  const creq = { messageType: 'CReq', messageVersion: MESSAGE_VERSION, threeDSServerTransID, acsTransID }
  return Buffer.from(JSON.stringify(creq)).toString('base64url')
}

function apply(byId: Map<string, Authentication>, record: JournalRecord): Authentication {
  const known = byId.get(record.threeDSServerTransID)
  if (record.kind === 'authentication') {
    const authentication: Authentication = { record, result: null }
    byId.set(record.threeDSServerTransID, authentication)
    return authentication
  }
  if (!known) throw new Error(`The journal refers to the unknown authentication ${record.threeDSServerTransID}.`)
  known.result = record
  return known
}
