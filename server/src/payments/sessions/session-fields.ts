/**
 * The values that hosted fields collect, one per frame. Number and expiry are sealed with the session until its next attempt; the
 * verification code is stored separately and only briefly. Each collection starts from nothing, and only a complete one can be charged.
 * Chapter 30 §8.3.
 */
import type { Expiry } from '#domain/card.ts'
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { type Secret, secret } from '#domain/secret.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import type { Deps } from '../request/deps.ts'

export interface FieldValues {
  readonly number?: Secret<string>
  readonly expiry?: Expiry
  readonly code?: Secret<string>
}

export interface FieldSending {
  /** Null from a page that does not name its collections. */
  readonly collection: string | null
  readonly isLast: boolean
}

/** Number and expiry as far as they are known. */
export interface CollectedCard {
  readonly number: Secret<string> | null
  readonly expiry: Expiry | null
}

/** Erases everything that was collected before, so that values of two collections are never charged together. */
export const beginCollection = (deps: Deps, session: SessionRecord, collection: string | null): Promise<void> =>
  deps.sessions.beginCollection(session, collection, deps.clock.now())

/** The frames send concurrently, so each write merges with the stored values and is repeated if they have changed. */
export async function collect(
  deps: Deps,
  session: SessionRecord,
  values: FieldValues,
  { collection, isLast }: FieldSending,
): Promise<void> {
  await deps.vault.prepareScope(session.merchantId)
  const code = values.code && (await sealCode(deps, session, values.code))
  const written = await writeCurrent<SessionRecord | null, true>({
    record: session,
    write: async (current) => {
      if (!current) throw new Error(`Session ${session.id} was not found.`)
      // A later collection has begun, perhaps in another window: it alone counts.
      if (current.collection !== collection) throw new RefusedError(errors.duplicateRequest)
      const fields = { ...(await mergeFields(deps, current, values)), ...(code ? { code } : {}), isLast }
      return (await deps.sessions.collect(current, fields, deps.clock.now())) || null
    },
    read: () => deps.sessions.find(session.id),
  })
  if (!written) throw new Error(`The values of the fields of session ${session.id} could not be stored.`)
}

async function mergeFields(
  deps: Deps,
  current: SessionRecord,
  { number, expiry }: FieldValues,
): Promise<{ readonly fieldsSealed?: Uint8Array }> {
  if (!number && !expiry) return {}
  const before = await openCard(deps, current)
  const text = textOf({ number: number ?? before.number, expiry: expiry ?? before.expiry })
  return { fieldsSealed: await deps.vault.seal(current.merchantId, 'card', text) }
}

/** Under the purpose of values that are erased with the authorization, as a verification code must be. */
async function sealCode(deps: Deps, { merchantId }: SessionRecord, code: Secret<string>) {
  const until = new Date(deps.clock.now().getTime() + limits.checkout.codeKeptMs)
  return { sealed: await deps.vault.seal(merchantId, 'cryptogram', code), until }
}

/** Empty until the collection is complete: a page that reported an error has nothing to charge. */
export async function readCollectedCard(deps: Deps, session: SessionRecord): Promise<CollectedCard> {
  return mayBeCharged(session) ? openCard(deps, session) : { number: null, expiry: null }
}

const mayBeCharged = ({ collection, isCollectionComplete }: SessionRecord): boolean =>
  collection === null || isCollectionComplete

async function openCard(deps: Deps, { merchantId, fieldsSealed }: SessionRecord): Promise<CollectedCard> {
  if (!fieldsSealed) return { number: null, expiry: null }
  return cardIn(await deps.vault.open(merchantId, 'card', fieldsSealed))
}

/** Deletes the code on reading, whatever the result of the attempt. */
export async function takeCode(deps: Deps, session: SessionRecord): Promise<Secret<string> | null> {
  if (!mayBeCharged(session)) return null
  const sealed = await deps.sessions.takeCode(session, deps.clock.now())
  return sealed && deps.vault.open(session.merchantId, 'cryptogram', sealed)
}

const textOf = ({ number, expiry }: CollectedCard): Secret<string> =>
  secret(`${number?.reveal() ?? ''} ${expiry ? `${expiry.month}/${expiry.year}` : ''}`)

function cardIn(text: Secret<string>): CollectedCard {
  const [, number = '', month, year] = /^([0-9]*) (?:([0-9]+)\/([0-9]+))?$/.exec(text.reveal()) ?? []
  return {
    number: number === '' ? null : secret(number),
    expiry: month === undefined ? null : { month: Number(month), year: Number(year) },
  }
}
