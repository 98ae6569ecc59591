/** The checkboxes before the pay button: the merchant's terms, and consent to later payments. Chapter 30 §7.4, §7.5. */
import type { JSX } from 'preact'
import { CheckBox } from '../../kit/check-box.tsx'
import { Sentence } from '../../kit/sentence.tsx'
import { cutAtHoles } from '../state/fill-text.ts'
import { complain, complaints, consentGiven, isZero, method, phase, session, termsAccepted } from '../state/session.ts'
import { say, template } from '../state/texts.ts'
import { scheduleValues } from './summary.tsx'

const tickId = { terms: 'tick-terms', consent: 'tick-consent' } as const

export function Ticks(): JSX.Element {
  return (
    <>
      <Consent />
      <Terms />
    </>
  )
}

function Terms(): JSX.Element | null {
  const terms = session.value?.terms
  if (!terms || !method.value?.terms) return null
  return (
    <CheckBox {...boxProps('terms')} checked={termsAccepted.value} required>
      <Sentence
        parts={cutAtHoles(template('terms'))}
        holes={{
          link: (
            <a href={terms.url} target="_blank" rel="noopener noreferrer">
              {say('termsLink')}
              <span class="unseen"> ({say('newTab')})</span>
            </a>
          ),
        }}
      />
    </CheckBox>
  )
}

function Consent(): JSX.Element | null {
  const current = session.value
  if (!current?.consent || !current.schedule) return null
  const dated = current.schedule.first_date !== null
  const values = { ...scheduleValues(current.schedule, current), merchant: current.branding.merchant }
  return (
    <CheckBox {...boxProps('consent')} checked={consentGiven.value} required={isZero(current.order.amount)}>
      {say(dated ? 'consent' : 'consentUndated', values)}
    </CheckBox>
  )
}

const boxes = { terms: termsAccepted, consent: consentGiven } as const

function boxProps(name: keyof typeof boxes) {
  const complaint = complaints.value[name]
  return {
    id: tickId[name],
    error: complaint === undefined ? null : say(complaint),
    locked: phase.value.at === 'paying',
    onChange: (ticked: boolean) => {
      boxes[name].value = ticked
      complain(name, null)
    },
  }
}
