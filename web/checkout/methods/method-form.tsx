/** The form of the chosen method: its fields, the checkboxes, and the pay button. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type FieldGroup, groupsOf, sharesLine } from '../fields/field-groups.ts'
import { FieldInput } from '../fields/field-input.tsx'
import type { FieldView, MethodView } from '../page-api.ts'
import { ErrorSummary } from '../parts/error-summary.tsx'
import { PayButton } from '../parts/pay-button.tsx'
import { SavedCards } from '../parts/saved-cards.tsx'
import { Ticks } from '../parts/ticks.tsx'
import { loadCountries } from '../state/checkout.ts'
import { countries, session, shownFields } from '../state/session.ts'
import { hasMistakes } from '../state/submit.ts'
import { say } from '../state/texts.ts'

export function MethodForm({ method }: { readonly method: MethodView }): JSX.Element {
  const needsCountries = shownFields.value.some(asksForCountry)
  useEffect(() => {
    if (needsCountries && countries.value.length === 0) void loadCountries()
  }, [needsCountries])
  return (
    <div class="method-form">
      <ErrorSummary shown={hasMistakes.value} />
      {method.kind === 'card' && <SavedCards />}
      {groupsOf(shownFields.value, session.value?.operation ?? 'purchase').map((group) => (
        <Group key={group.legend} group={group} />
      ))}
      <Ticks />
      <PayButton />
    </div>
  )
}

function Group({ group: { legend, fields } }: { readonly group: FieldGroup }): JSX.Element {
  const inputs = (
    <div class="fields">
      {fields.map((field) => (
        <div key={field.name} class={sharesLine(field.name, fields) ? 'half' : 'whole'}>
          <FieldInput field={field} />
        </div>
      ))}
    </div>
  )
  if (legend === null) return inputs
  return (
    <fieldset class="field-group">
      <legend>{say(legend)}</legend>
      {inputs}
    </fieldset>
  )
}

const asksForCountry = ({ name, type }: FieldView): boolean =>
  /\.(?:country|state|phone_country_code)$/.test(name) || type === 'country'
