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
import type { Credentials } from './credentials.ts'
import type { FollowUp, Order, StatusQuery } from './order.ts'
import type { Answer, Outcome } from './outcome.ts'
import type { AcquirerEffects, AcquirerEvents } from './reports.ts'
import type { RequestRecovery } from './request-recovery.ts'
import type { Signer, TimedWire, Wire, Wires } from './wire.ts'

export type {
  BrandPayment,
  CardData,
  DecryptedWallet,
  ExternalThreeDs,
  FollowUp,
  Order,
  StatusQuery,
  WalletPayment,
} from './order.ts'
export type { AcquirerFacts, Answer, Outcome } from './outcome.ts'
export type { AcquirerEffect, AcquirerEffects, AcquirerEvent, AcquirerEvents } from './reports.ts'
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
  readonly moto: boolean
  readonly zeroAmount: boolean
  readonly recurring: boolean
  readonly cardOnFile: boolean
  readonly externalThreeDs: boolean
  readonly ipv6: boolean
}

/** An operation of an acquirer. `Link` is what it is reached by: a wire for the connector, nothing for its caller. */
type Operation<Request, Answered, Link extends readonly unknown[]> = (
  request: Request,
  ...link: Link
) => Promise<Answered>

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
  /** Events after the cursor, which is empty at first. */
  readonly events?: Operation<string, AcquirerEvents, Link> | undefined
  /** What it executed after the cursor, which is empty at first: its record, to hold against ours after a restore. */
  readonly effects?: Operation<string, AcquirerEffects, Link> | undefined
}

type OperationName = keyof AcquirerOperations<[]>

/** A connector as it is written: `C` are its credentials, parsed by its schema when the MID is loaded. */
interface Connector<C extends Credentials> extends AcquirerOperations<[wire: Wire<C>]> {
  readonly id: string
  readonly title: string
  /** Parsed when a MID is entered and when it is loaded; the panel draws its form from it. It takes what it returned. */
  readonly credentials: ZodType<C>
  readonly supports: Support
  /** Dotted paths of a JSON or form body that must never reach a log. */
  readonly secretFields: readonly string[]
  /** By the credentials of the MID: one acquirer may treat its customers differently. */
  readonly recovery: (credentials: C) => RequestRecovery
  /** Signs every request; sees the exact bytes. */
  readonly sign?: Signer<C>
}

/** A MID's account at its acquirer, ready to be asked. A request that could not leave before `sendBy` does not leave any more. */
export interface AcquirerAccount extends AcquirerOperations<[sendBy?: number]> {
  readonly recovery: RequestRecovery
}

/** A connector as the gateway uses it: the type of its credentials stays inside. */
export interface RegisteredConnector {
  readonly id: string
  readonly title: string
  readonly credentials: ZodType<Credentials>
  readonly supports: Support
  readonly operations: ReadonlySet<OperationName>
  /** Throws when the credentials do not fit. */
  open(credentials: unknown, wires: Wires): AcquirerAccount
}

const operationNames: readonly OperationName[] = [
  'sale',
  'authorize',
  'debit',
  'credit',
  'transfer',
  'capture',
  'refund',
  'reverse',
  'void',
  'status',
  'events',
  'effects',
]

/** Checks a connector against the contract and makes it ready for the registry. */
export function connector<C extends Credentials>(definition: Connector<C>): RegisteredConnector {
  const { id, title, credentials, supports, recovery } = definition
  return {
    id,
    title,
    credentials,
    supports,
    operations: new Set(operationNames.filter((name) => definition[name] !== undefined)),
    open: (values, wires) => {
      const parsed = credentials.parse(values)
      return { recovery: recovery(parsed), ...operationsOn(definition, wires.to(definition, parsed)) }
    },
  }
}

function operationsOn<C extends Credentials>(
  definition: Connector<C>,
  wire: TimedWire<C>,
): AcquirerOperations<[sendBy?: number]> {
  const on =
    <Request, Answered>(operation: Operation<Request, Answered, [wire: Wire<C>]>) =>
    (request: Request, sendBy?: number) =>
      operation(request, sendBy === undefined ? wire : wire.leavingBy(sendBy))
  const { authorize, debit, credit, transfer, capture, refund, reverse, void: cancel, events, effects } = definition
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
    events: events && on(events),
    effects: effects && on(effects),
  }
}
