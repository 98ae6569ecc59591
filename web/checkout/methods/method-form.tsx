/** The form of the chosen method: its fields, the checkboxes, and the pay button. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { FieldInput } from '../fields/field-input.tsx'
import { fieldTraits } from '../fields/field-texts.ts'
import type { FieldView, MethodView } from '../page-api.ts'
import { ErrorSummary } from '../parts/error-summary.tsx'
import { PayButton } from '../parts/pay-button.tsx'
import { SavedCards } from '../parts/saved-cards.tsx'
import { Ticks } from '../parts/ticks.tsx'
import { loadCountries } from '../state/checkout.ts'
import { countries, shownFields } from '../state/session.ts'
import { hasMistakes } from '../state/submit.ts'

export function MethodForm({ method }: { readonly method: MethodView }): JSX.Element {
  const needsCountries = shownFields.value.some(asksForCountry)
  useEffect(() => {
    if (needsCountries && countries.value.length === 0) void loadCountries()
  }, [needsCountries])
  return (
    <div class="method-form">
      <ErrorSummary shown={hasMistakes.value} />
      {method.kind === 'card' && <SavedCards />}
      <div class="fields">
        {shownFields.value.map((field) => (
          <div key={field.name} class={fieldTraits[field.name]?.half ? 'half' : 'whole'}>
            <FieldInput field={field} />
          </div>
        ))}
      </div>
      <Ticks />
      <PayButton />
    </div>
  )
}

const asksForCountry = ({ name, type }: FieldView): boolean =>
  /\.(?:country|state|phone_country_code)$/.test(name) || type === 'country'
