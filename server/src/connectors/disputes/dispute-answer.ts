/**
 * How a connector answers a dispute at its acquirer: evidence and an objection, or an acceptance. Chapter 60 §5, decisions/disputes#answers.
 *
 * Absent means that the acquirer has no API for it. The acquirer accepts one answer per dispute: resend only if the dispute is known to be unanswered.
 * Files that were uploaded without the objection do no harm and may be uploaded again.
 */
import { isCardNumber, maskCard } from '#domain/card.ts'
import type { EvidenceKind, EvidenceType } from '#domain/dispute/evidence.ts'
import { WireFault, type WireReply } from '../wire.ts'
import type { EvidenceRulesByNetwork } from './evidence-limits.ts'

interface DisputeCase {
  /** The acquirer's reference of the dispute. */
  readonly dispute: string
  /** The key of this try to answer the dispute. */
  readonly idempotencyKey: string
}

export interface EvidenceDocument {
  readonly name: string
  readonly type: EvidenceType
  readonly kind: EvidenceKind
  readonly bytes: Buffer
}

export interface DisputeDefence extends DisputeCase {
  /** A code of the acquirer's list; null where it has none. */
  readonly reason: string | null
  readonly documents: readonly EvidenceDocument[]
}

export type DisputeAnswerOutcome =
  | { readonly result: 'accepted' }
  /** The acquirer will not accept it, and a person has to act. */
  | { readonly result: 'refused'; readonly reason: string }
  /** Certainly not accepted; it may be sent again. */
  | { readonly result: 'not-sent'; readonly reason: string }
  | { readonly result: 'unknown'; readonly reason: string }

/** What the acquirer says of a dispute: it waits for an answer, has one, or is decided. Null if it did not say. */
export type CaseState = 'open' | 'answered' | 'decided' | null

/** A ground on which the dispute can be contested. */
export interface DefenceReason {
  readonly code: string
  /** The documents that the acquirer wants with it. */
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** `Link` is what the acquirer is reached by, as in `AcquirerOperations`. */
export interface DisputeOperations<Link extends readonly unknown[]> {
  readonly contest: (defence: DisputeDefence, ...link: Link) => Promise<DisputeAnswerOutcome>
  readonly accept: (one: DisputeCase, ...link: Link) => Promise<DisputeAnswerOutcome>
  /** Absent where the acquirer cannot be asked: its notification tells whether an answer arrived. */
  readonly ask?: ((dispute: string, ...link: Link) => Promise<CaseState>) | undefined
  /** Absent where an answer needs no reason of a list. Null if the acquirer did not say. */
  readonly reasons?: ((dispute: string, ...link: Link) => Promise<readonly DefenceReason[] | null>) | undefined
}

export interface DisputeContract<Link extends readonly unknown[]> extends DisputeOperations<Link> {
  readonly evidence: EvidenceRulesByNetwork
}

/** What the panel and the command line know of it without a MID. */
export interface DisputeTerms {
  readonly evidence: EvidenceRulesByNetwork
  readonly needsReason: boolean
}

export const termsOf = (contract: DisputeContract<readonly never[]> | undefined): DisputeTerms | null =>
  contract ? { evidence: contract.evidence, needsReason: contract.reasons !== undefined } : null

export function contractOn<Link>(
  { contest, accept, ask, reasons }: DisputeContract<[link: Link]>,
  linkBy: () => Link,
): DisputeOperations<[]> {
  return {
    contest: (defence) => contest(defence, linkBy()),
    accept: (one) => accept(one, linkBy()),
    ask: ask && ((dispute) => ask(dispute, linkBy())),
    reasons: reasons && ((dispute) => reasons(dispute, linkBy())),
  }
}

export const acceptedAnswer: DisputeAnswerOutcome = { result: 'accepted' }
export const refusalFor = (reason: string): DisputeAnswerOutcome => ({ result: 'refused', reason })
const notSent = (reason: string): DisputeAnswerOutcome => ({ result: 'not-sent', reason })
const unknown = (reason: string): DisputeAnswerOutcome => ({ result: 'unknown', reason })

/** Never rejects. A request that may have left is unknown, whatever went wrong afterwards. */
export async function answerDispute(
  call: () => Promise<DisputeAnswerOutcome>,
  onFault: (fault: unknown) => void,
): Promise<DisputeAnswerOutcome> {
  try {
    return await call()
  } catch (fault) {
    if (!(fault instanceof WireFault) || fault.isBug) onFault(fault)
    if (fault instanceof WireFault && !fault.sent) return notSent('The acquirer could not be reached.')
    return unknown('The acquirer did not answer.')
  }
}

/** For `ask` and `reasons`. Null if the question failed. */
export async function askAbout<T>(call: () => Promise<T | null>, onFault: (fault: unknown) => void): Promise<T | null> {
  try {
    return await call()
  } catch (fault) {
    if (!(fault instanceof WireFault) || fault.isBug) onFault(fault)
    return null
  }
}

/** A step before the one that counts: whatever goes wrong there, the dispute is not answered. */
export async function prepare<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (cause) {
    const isBug = !(cause instanceof WireFault) || cause.isBug
    throw new WireFault('The evidence could not be uploaded.', { sent: false, isBug, cause })
  }
}

/**
 * Of an answer that is no success. `words` are the acquirer's own for its refusal, null if the answer has none: then a proxy may have written it.
 * Before the step that counts nothing is unknown.
 */
export function toUnanswered(
  { status }: Pick<WireReply, 'status'>,
  words: string | null,
  { isPreparation = false }: { readonly isPreparation?: boolean } = {},
): DisputeAnswerOutcome {
  // The request was not read to its end, so that nothing of it counts, and a second try would end the same.
  if (status === 413) return refusalFor('The acquirer found the files too large. Use smaller files.')
  if (status === 429) return notSent('The acquirer takes no more requests at the moment.')
  if (status === 401) return refusalFor('The acquirer refused the credentials.')
  if (status === 403)
    return refusalFor('The credentials lack the permission for disputes, or the dispute takes no answer any more.')
  const isRefused = status >= 400 && status < 500 && words !== null
  if (isRefused) return refusalFor(`The acquirer refused the answer: ${readable(words)}`)
  return isPreparation ? notSent(`The acquirer answered ${status}.`) : unknown(`The acquirer answered ${status}.`)
}

const wordsAtMost = 500

/** On one line, without markup and card numbers: an answer may quote anything. */
function readable(words: string): string {
  const line = words
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\d(?:[ -]?\d){11,18}/g, (digits) => {
      const number = digits.replaceAll(/[ -]/g, '')
      return isCardNumber(number) ? maskCard(number) : digits
    })
  // No control characters, and none that turn the direction of the text.
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(line) || /[<>]/.test(line)) return 'no reason.'
  if (line.length > wordsAtMost) return `${line.slice(0, wordsAtMost)}…`
  return /[.!?]$/.test(line) ? line : `${line}.`
}
