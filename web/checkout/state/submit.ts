/** What the pay button does: shows what is missing, or sends the attempt. Chapter 30 §7.3, §7.4. */
import { signal } from '@preact/signals'
import { focusOn } from '../../kit/focus.ts'
import { randomUuid } from '../../kit/random-uuid.ts'
import { checkAll } from '../fields/check-form.ts'
import { fieldId } from '../fields/field-id.ts'
import type { SessionView } from '../page-api.ts'
import { announce } from './announce.ts'
import { browserInfo } from './browser-info.ts'
import { pay } from './checkout.ts'
import { type CommonMembers, paymentBody, shownAmount } from './payment-body.ts'
import { isOpen } from './phase.ts'
import {
  complain,
  complaints,
  consentGiven,
  method,
  missingTick,
  phase,
  savedCard,
  session,
  shownFields,
  termsAccepted,
  values,
} from './session.ts'
import { language, say, sayCount } from './texts.ts'

/** Whether the payer pressed Pay with invalid entries: only then the summary of errors is shown. */
export const hasMistakes = signal(false)

export async function submit(): Promise<void> {
  const chosen = method.value
  const current = session.value
  if (!chosen || !current || !isOpen(phase.value)) return
  const wrong = checkAll()
  const tick = missingTick.value
  if (tick !== null) complain(tick, tick === 'terms' ? 'termsNeeded' : 'consentNeeded')
  hasMistakes.value = wrong !== null
  if (wrong !== null) {
    announce(sayCount('mistakes', Object.keys(complaints.value).length))
    return focusOn(fieldId(wrong))
  }
  if (tick !== null) {
    announce(say(tick === 'terms' ? 'termsNeeded' : 'consentNeeded'))
    return focusOn(`tick-${tick}`)
  }
  const entered = { method: chosen, savedCard: savedCard.value, fields: shownFields.value, values: values.value }
  await pay(paymentBody(entered, commonMembers(current)))
}

/** The part of every attempt that does not depend on the payment method. `shown` is the session as the payer saw it. */
export const commonMembers = (shown: SessionView): CommonMembers => ({
  attempt_id: randomUuid(),
  shown: shownAmount(shown),
  browser_info: browserInfo(),
  terms: termsAccepted.value,
  consent: consentGiven.value,
  language: language.value.code,
})
