/** All invalid entries of a long form, each with a link to its field. Chapter 30 §7.9. */
import type { JSX } from 'preact'
import { focusOn } from '../../kit/focus.ts'
import { fieldId } from '../fields/field-id.ts'
import { traitsIn } from '../fields/field-texts.ts'
import { complaints, method, shownFields } from '../state/session.ts'
import { say, sayCount } from '../state/texts.ts'

/** A form of so few fields, as that of a card, is seen at one glance: a list would only repeat the messages below it. */
const fieldsInView = 4

export function ErrorSummary({ shown }: { readonly shown: boolean }): JSX.Element | null {
  const wrong = shownFields.value.flatMap(({ name, title }) => {
    const complaint = complaints.value[name]
    const known = traitsIn(method.value, name)
    return complaint === undefined
      ? []
      : [{ name, label: title ?? (known ? say(known.label) : name), text: say(complaint) }]
  })
  if (!shown || wrong.length === 0 || shownFields.value.length <= fieldsInView) return null
  return (
    <section class="notice bad" aria-labelledby="mistakes">
      <h2 id="mistakes">{sayCount('mistakes', wrong.length)}</h2>
      <ul>
        {wrong.map(({ name, label, text }) => (
          <li key={name}>
            <a
              href={`#${fieldId(name)}`}
              onClick={(event) => {
                event.preventDefault()
                focusOn(fieldId(name))
              }}
            >
              {label}: {text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
