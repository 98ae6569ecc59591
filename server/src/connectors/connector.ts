/**
 * The contract between the gateway and an acquirer.
 *
 * Absent means unsupported: an operation is offered by being there, and routing, the panel and the documentation
 * read that. `sale` and `status` are compulsory, since without `status` an unknown outcome could never be resolved.
 *
 * An operation describes one exchange: it turns our words into the acquirer's request, sends it by `wire`, and turns the answer into
 * an `Outcome`. It never retries, never sleeps and never decides about the payment. The transaction's id is the idempotency key
 * of every send. Whether the acquirer honours it is declared by `recovery`, since nothing is sent again where it does not.
 */

import type { ZodType } from 'zod'
import type { Mode } from '#domain/merchant.ts'
import type { TestCards } from '../contracts/test-cards.ts'
import type { AccessToken } from './access-token.ts'
import type { Credentials } from './credentials.ts'
import {
  contractOn,
  type DisputeContract,
  type DisputeOperations,
  type DisputeTerms,
  termsOf,
} from './disputes/dispute-answer.ts'
import { type NotificationAnswer, type NotificationReading, type NotificationRequest, plainOk } from './notification.ts'
import type { FollowUp, Order, PayerReturn, SentTransaction, StatusQuery } from './order.ts'
import type { Answer, Outcome } from './outcome.ts'
import type { AcquirerEffects, AcquirerEvents, EffectsQuery } from './reports.ts'
import type { RecoveryWay, RequestRecovery } from './request-recovery.ts'
import type { Wire, Wires } from './wire.ts'
import type { ClientCertificate, Hosts, Signer } from './wire-request.ts'

export type {
  BrandPayment,
  CardData,
  DecryptedWallet,
  ExternalThreeDs,
  FollowUp,
  MoneyOperation,
  Order,
  PayerReturn,
  SentTransaction,
  StatusQuery,
  WalletPayment,
} from './order.ts'
export type { AcquirerFacts, Answer, Outcome } from './outcome.ts'
export type { AcquirerEffect, AcquirerEffects, AcquirerEvent, AcquirerEvents, EffectsQuery } from './reports.ts'
export type { RequestRecovery } from './request-recovery.ts'

export interface Support {
  /** Decrypted wallet numbers may be processed as cards. */
  readonly cardFlow: boolean
  readonly acceptsDecrypted: boolean
  /** Takes a wallet's token as it came. */
  readonly passesTokens: boolean
  /** Takes EMV data of a wallet. */
  readonly emv: boolean
  readonly partialCapture: boolean
  readonly partialRefund: boolean
  readonly moto: boolean
  readonly zeroAmount: boolean
  readonly recurring: boolean
  readonly cardOnFile: boolean
  /** Sends the payer to a page of its own when the issuer wants an authentication. */
  readonly ownThreeDs: boolean
  readonly externalThreeDs: boolean
  readonly ipv6: boolean
}

/** An operation of an acquirer. `Link` is what it is reached by: a wire for the connector, nothing for its caller. */
type Operation<Request, Reply, Link extends readonly unknown[]> = (request: Request, ...link: Link) => Promise<Reply>

/** Every operation that an acquirer may offer. */
interface AcquirerOperations<Link extends readonly unknown[]> {
  readonly sale: Operation<Order, Outcome, Link>
  readonly authorize?: Operation<Order, Outcome, Link> | undefined
  readonly debit?: Operation<Order, Outcome, Link> | undefined
  readonly credit?: Operation<Order, Outcome, Link> | undefined
  readonly transfer?: Operation<Order, Outcome, Link> | undefined
  readonly capture?: Operation<FollowUp, Outcome, Link> | undefined
  readonly refund?: Operation<FollowUp, Outcome, Link> | undefined
  /** Releases a hold, or takes a debit back. */
  readonly reverse?: Operation<FollowUp, Outcome, Link> | undefined
  readonly void?: Operation<FollowUp, Outcome, Link> | undefined
  readonly status: Operation<StatusQuery, Answer, Link>
  /** Goes on after a payer step, with what the browser brought back. Without it the acquirer is asked by `status`. */
  readonly complete?: Operation<PayerReturn, Outcome, Link> | undefined
  /** Reverses a transaction whose outcome is unknown, by our id of it. `not-executed` once the acquirer has acknowledged. */
  readonly undo?: Operation<SentTransaction, Outcome, Link> | undefined
  /** Verifies a notification and says what it reports. Sends nothing but what the verification needs, such as a certificate's address. */
  readonly readNotification?: Operation<NotificationRequest, NotificationReading, Link> | undefined
  /** Asks something harmless that needs the credentials; the sentence says which value is wrong. Moves no money. */
  readonly check?: Operation<null, CredentialsCheck, Link> | undefined
  /** Events after the cursor, which is empty at first. */
  readonly events?: Operation<string, AcquirerEvents, Link> | undefined
  /** What it executed, page by page: its record, to hold against ours after a restore. Throws where it cannot list all of it. */
  readonly effects?: Operation<EffectsQuery, AcquirerEffects, Link> | undefined
}

/** What the acquirer said about the credentials. */
export type CredentialsCheck =
  | { readonly kind: 'accepted' }
  /** `field` is a name of the credentials, where the answer tells which one it is. */
  | { readonly kind: 'refused'; readonly field: string | null; readonly text: string }
  | { readonly kind: 'no-answer'; readonly text: string }

type OperationName = keyof AcquirerOperations<[]>

/** What every connector says of itself: `C` are its credentials, parsed by its schema when the MID is loaded. */
interface ConnectorTerms<C extends Credentials> {
  readonly id: string
  readonly title: string
  /** Parsed when a MID is entered and when it is loaded; the panel draws its form from it. It takes what it returned. */
  readonly credentials: ZodType<C>
  readonly supports: Support
  readonly recoveryWay: RecoveryWay
  /** Depends on the credentials of the MID: one acquirer may treat its customers differently. */
  readonly recovery: (credentials: C) => Omit<RequestRecovery, 'way'>
  /** The cards with which `gatehouse connector try` pays. */
  readonly testCards?: TestCards
  /** Its notifications report whether a dispute is won or lost: people decide it only if the report is missing. Absent: two people decide. */
  readonly reportsDecisions?: true
}

/** A connector as it is written, of an acquirer that speaks HTTP. */
interface Connector<C extends Credentials> extends ConnectorTerms<C>, AcquirerOperations<[wire: Wire<C>]> {
  /**
   * Where the acquirer is reached, by the mode of the MID. `api` takes every request that names no other host. A `base_url` in the credentials
   * replaces all of them.
   */
  readonly hosts: (credentials: C, mode: Mode) => Hosts
  /** Dotted paths of a JSON or form body that must never reach a log. */
  readonly secretFields: readonly string[]
  /** Signs every request; sees the exact bytes. */
  readonly sign?: Signer<C>
  /** A token that must be fetched before anything else is sent. */
  readonly accessToken?: AccessToken<C>
  /** The certificate by which the acquirer knows the MID. */
  readonly clientCertificate?: (credentials: C) => ClientCertificate | null
  /** What ends a notification; by default an empty 200. */
  readonly notificationAnswer?: NotificationAnswer
  /** How disputes are answered. Absent: people answer them in the acquirer's own portal. */
  readonly disputes?: DisputeContract<[wire: Wire<C>]>
}

/** A connector as it is written, of an acquirer that does not speak HTTP: its operations get a link of the connector's own making. */
interface OwnTransportConnector<C extends Credentials, Link>
  extends ConnectorTerms<C>,
    AcquirerOperations<[link: Link]> {
  readonly family?: RegisteredConnector['family']
  /** Every address to which the MID may send, `tls://host:port` or `tcp://host:port`. */
  readonly addresses: (credentials: C, mode: Mode) => readonly string[]
  readonly connect: (credentials: C, wires: Wires, mode: Mode) => OwnTransport<Link>
}

interface OwnTransport<Link> {
  /** On which no request leaves after this moment of `performance.now()`. */
  link(sendBy?: number): Link
  /** Ends what is held open, once the requests in progress are answered. */
  close(): void
}

/** A MID's account at its acquirer, ready to be asked. A request that could not leave before `sendBy` does not leave any more. */
export interface AcquirerAccount extends AcquirerOperations<[sendBy?: number]> {
  readonly recovery: RequestRecovery
  readonly disputes?: DisputeOperations<[]> | undefined
  /** Called when the account is replaced; absent where it holds nothing open. */
  readonly close?: () => void
}

/** A connector as the gateway uses it: the type of its credentials stays inside. */
export interface RegisteredConnector {
  readonly id: string
  readonly title: string
  readonly credentials: ZodType<Credentials>
  readonly supports: Support
  readonly recoveryWay: RecoveryWay
  readonly operations: ReadonlySet<OperationName>
  readonly notificationAnswer: NotificationAnswer
  readonly testCards: TestCards | null
  readonly disputes: DisputeTerms | null
  /** Whether a dispute is won or lost. */
  readonly reportsDecisions: boolean
  /** `own`: it does not speak HTTP, so that it brings its own test of the contract. */
  readonly transport: 'http' | 'own'
  /** Which installation it needs; null if it needs none. */
  readonly family: 'prism' | null
  /** What a MID with these credentials may rely on. Throws when they do not fit. */
  recoveryOf(credentials: unknown): RequestRecovery
  /** Every address to which a MID with these credentials may send. Throws when they do not fit. */
  addresses(credentials: unknown, mode: Mode): readonly string[]
  /** Throws when the credentials do not fit. */
  open(credentials: unknown, wires: Wires, mode: Mode): AcquirerAccount
}

// biome-ignore format: money first, then what is asked.
const operationNames: readonly OperationName[] = [
  'sale', 'authorize', 'debit', 'credit', 'transfer', 'capture', 'refund', 'reverse', 'void',
  'status', 'complete', 'undo', 'readNotification', 'check', 'events', 'effects',
]

/** Checks a connector against the contract and makes it ready for the registry. */
export function connector<C extends Credentials>(definition: Connector<C>): RegisteredConnector {
  const { credentials, notificationAnswer = plainOk } = definition
  return Object.assign(register(definition), {
    notificationAnswer,
    disputes: termsOf(definition.disputes),
    transport: 'http' as const,
    family: null,
    addresses: (entered: unknown, mode: Mode) => Object.values(hostsOf(definition, credentials.parse(entered), mode)),
    open: (entered: unknown, wires: Wires, mode: Mode) => {
      const parsed = credentials.parse(entered)
      const wire = wires.to(definition, parsed, { hosts: hostsOf(definition, parsed, mode) })
      const linkBy = (sendBy?: number): Wire<C> => (sendBy === undefined ? wire : wire.leavingBy(sendBy))
      const disputes = definition.disputes && contractOn(definition.disputes, linkBy)
      return { recovery: recoveryWith(definition, parsed), disputes, ...operationsOn(definition, linkBy) }
    },
  })
}

/** The same for a connector with a transport of its own. */
export function ownTransportConnector<C extends Credentials, Link>(
  definition: OwnTransportConnector<C, Link>,
): RegisteredConnector {
  const { addresses, connect, family = null } = definition
  return Object.assign(register(definition), {
    notificationAnswer: plainOk,
    disputes: null,
    transport: 'own' as const,
    family,
    addresses: (entered: unknown, mode: Mode) => addresses(definition.credentials.parse(entered), mode),
    open: (entered: unknown, wires: Wires, mode: Mode) => {
      const parsed = definition.credentials.parse(entered)
      const transport = connect(parsed, wires, mode)
      const operations = operationsOn(definition, (sendBy) => transport.link(sendBy))
      return { recovery: recoveryWith(definition, parsed), close: () => transport.close(), ...operations }
    },
  })
}

function register<C extends Credentials, Link>(
  definition: ConnectorTerms<C> & AcquirerOperations<[link: Link]>,
): Omit<RegisteredConnector, 'notificationAnswer' | 'disputes' | 'transport' | 'family' | 'addresses' | 'open'> {
  const { id, title, supports, recoveryWay, testCards = null, reportsDecisions = false } = definition
  const operations = new Set(operationNames.filter((name) => definition[name] !== undefined))
  const recoveryOf = (entered: unknown) => recoveryWith(definition, definition.credentials.parse(entered))
  const form = {
    get credentials() {
      return definition.credentials
    },
  }
  return Object.assign(form, { id, title, supports, recoveryWay, recoveryOf, operations, testCards, reportsDecisions })
}

const recoveryWith = <C extends Credentials>(
  { recoveryWay: way, recovery }: ConnectorTerms<C>,
  credentials: C,
): RequestRecovery => ({ way, ...recovery(credentials) })

/** With a `base_url` every host is that one. */
function hostsOf<C extends Credentials>({ hosts }: Connector<C>, credentials: C, mode: Mode): Hosts {
  const known = hosts(credentials, mode)
  const { base_url: replaced } = credentials
  if (replaced === undefined) return known
  return { ...Object.fromEntries(Object.keys(known).map((name) => [name, replaced])), api: replaced }
}

function operationsOn<Link>(
  definition: AcquirerOperations<[link: Link]>,
  linkBy: (sendBy?: number) => Link,
): AcquirerOperations<[sendBy?: number]> {
  const on =
    <Request, Reply>(operation: Operation<Request, Reply, [link: Link]>) =>
    (request: Request, sendBy?: number) =>
      operation(request, linkBy(sendBy))
  const { authorize, debit, credit, transfer, capture, refund, reverse, void: cancel, events, effects } = definition
  const { complete, undo, readNotification, check } = definition
  return {
    sale: on(definition.sale),
    authorize: authorize && on(authorize),
    debit: debit && on(debit),
    credit: credit && on(credit),
    transfer: transfer && on(transfer),
    capture: capture && on(capture),
    refund: refund && on(refund),
    reverse: reverse && on(reverse),
    void: cancel && on(cancel),
    status: on(definition.status),
    complete: complete && on(complete),
    undo: undo && on(undo),
    readNotification: readNotification && on(readNotification),
    check: check && on(check),
    events: events && on(events),
    effects: effects && on(effects),
  }
}
