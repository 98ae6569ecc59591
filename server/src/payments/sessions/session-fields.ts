/**
 * The values that hosted fields collect, one per frame. Number and expiry are sealed with the session until its next attempt; the
 * verification code is stored separately and only briefly. Chapter 30 §8.3.
 */
import type { Expiry } from '#domain/card.ts'
import { limits } from '#domain/limits.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import type { Deps } from '../request/deps.ts'

export interface FieldValues {
  readonly number?: Secret<string>
  readonly expiry?: Expiry
  readonly code?: Secret<string>
}

/** Number and expiry as far as they are known. */
export interface CollectedCard {
  readonly number: Secret<string> | null
  readonly expiry: Expiry | null
}

export async function collect(deps: Deps, session: SessionRecord, values: FieldValues): Promise<void> {
  const { code } = values
  await deps.vault.ready(session.merchantId)
  if (values.number || values.expiry) await storeCard(deps, session, values)
  if (!code) return
  const now = deps.clock.now()
  const sealed = await deps.vault.seal(session.merchantId, 'cryptogram', code)
  const until = new Date(now.getTime() + limits.checkout.codeKeptMs)
  await deps.sessions.collect(session, { code: { sealed, until } }, now)
}

/** The frames send concurrently, so each write merges with the stored values and is repeated if they have changed. */
async function storeCard(deps: Deps, session: SessionRecord, { number, expiry }: FieldValues): Promise<void> {
  const written = await writeCurrent<SessionRecord | null, true>({
    record: session,
    write: async (current) => {
      if (!current) throw new Error(`Session ${session.id} was not found.`)
      const before = await collectedCard(deps, current)
      const text = textOf({ number: number ?? before.number, expiry: expiry ?? before.expiry })
      const sealed = await deps.vault.seal(session.merchantId, 'card', text)
      return (await deps.sessions.replaceFields(current, sealed, deps.clock.now())) || null
    },
    read: () => deps.sessions.find(session.id),
  })
  if (!written) throw new Error(`The values of the fields of session ${session.id} could not be stored.`)
}

export async function collectedCard(deps: Deps, { merchantId, fieldsSealed }: SessionRecord): Promise<CollectedCard> {
  if (!fieldsSealed) return { number: null, expiry: null }
  return cardIn(await deps.vault.open(merchantId, 'card', fieldsSealed))
}

/** Deletes the code on reading, whatever the result of the attempt. */
export async function takeCode(deps: Deps, session: SessionRecord): Promise<Secret<string> | null> {
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
