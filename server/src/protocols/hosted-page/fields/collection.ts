/**
 * POST /page/v1/collection and /page/v1/fields: a collection begins, then each frame sends the value of its own input, which the merchant's
 * page cannot read. Chapter 30 §8.3.
 */

import { cardFacts } from '#domain/card.ts'
import { errors, violations } from '#domain/errors.ts'
import { isMoto } from '#domain/payment/moto.ts'
import { invalid, RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { FieldSending, FieldValues } from '../../../payments/sessions/session-fields.ts'
import type { ValueTree } from '../../kit/bodies/value-tree.ts'
import * as format from '../../kit/values/formats.ts'
import { optional, required } from '../../kit/values/params.ts'
import { soundValue } from '../../kit/values/read.ts'
import { flagIn, sentIn, textIn } from '../../kit/values/sent.ts'
import { fieldOrigins } from '../embedders.ts'
import type { HostedPageParts } from '../parts.ts'
import { payerReading } from '../payer-reading.ts'
import { cardDigits, expiryDate } from '../payment/attempt-params.ts'
import { checkNumber } from '../payment/entered-card.ts'
import { admitAttempt } from '../payment/page-payment.ts'
import { isFrame } from './frame.ts'

/** Erases what was collected before. The answer tells the frame of the code whether it may stay empty. */
export async function beginCollection(
  parts: Pick<HostedPageParts, 'operations' | 'clock'>,
  context: SessionContext,
  body: ValueTree,
): Promise<object> {
  const { session } = context
  admitAttempt(context)
  refuseForeignOrigin(context, textIn(body, 'origin'))
  await parts.operations.payerSessions.beginCollection(session, collectionIn(parts, context, body))
  return { result: 'success', code_optional: isMoto(session.request.motoType) }
}

/** Null from a page with the script of an earlier release, which does not name its collections. */
function collectionIn(
  parts: Pick<HostedPageParts, 'clock'>,
  { merchant }: SessionContext,
  body: ValueTree,
): string | null {
  const param = optional(format.uuid)
  return soundValue(param.read('collection', sentIn(body, 'collection'), payerReading(parts, merchant, body))) ?? null
}

/** Returns the network, which determines the code's length; the values themselves are never returned. */
export async function collectField(
  parts: Pick<HostedPageParts, 'operations' | 'configuration' | 'clock'>,
  context: SessionContext,
  body: ValueTree,
): Promise<object> {
  const { session, merchant } = context
  admitAttempt(context)
  refuseForeignOrigin(context, textIn(body, 'origin'))
  const field = textIn(body, 'field') ?? ''
  if (!isFrame(field)) throw invalid({ param: 'field', text: field === '' ? violations.blank : violations.notChoice })
  const reading = payerReading(parts, merchant, body)
  const value = textIn(body, 'value')
  const sending = { collection: collectionIn(parts, context, body), isLast: flagIn(body, 'last') }
  const { payerSessions, sessions } = parts.operations
  switch (field) {
    case 'card': {
      const number = soundValue(required(cardDigits).read(field, value, reading))
      const { methods } = await sessions.offer(merchant, session)
      const [card] = methods
      if (card) checkNumber(number, field, card, parts.configuration)
      await payerSessions.collect(session, { number }, sending)
      return { result: 'success', brand: cardFacts(number.reveal()).network ?? null }
    }
    case 'expiry':
      return storeFields(
        parts,
        context,
        { expiry: soundValue(required(expiryDate).read(field, value, reading)) },
        sending,
      )
    case 'cvv': {
      // With a MOTO value the code may stay empty.
      const member = isMoto(session.request.motoType)
        ? optional(format.verificationCode)
        : required(format.verificationCode)
      const code = soundValue(member.read(field, value, reading))
      return storeFields(parts, context, code ? { code } : {}, sending)
    }
  }
}

/** If only some origins may embed frames, a frame must report the origin of its page; see also `frame-ancestors`. */
function refuseForeignOrigin({ mapping, session }: SessionContext, origin: string | undefined): void {
  const allowed = fieldOrigins(mapping, session)
  const isForeign = origin !== undefined && allowed.length > 0 && !allowed.includes(origin)
  if (isForeign) throw new RefusedError(errors.sessionTokenForbidden)
}

async function storeFields(
  { operations }: Pick<HostedPageParts, 'operations'>,
  { session }: SessionContext,
  values: FieldValues,
  sending: FieldSending,
): Promise<object> {
  await operations.payerSessions.collect(session, values, sending)
  return { result: 'success' }
}
