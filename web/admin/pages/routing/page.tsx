/** Routing: the rules of all merchants or of one, from draft to publication. Chapter 50 §4, §8. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import type { Choice } from '../../kit/form/fields.tsx'
import { Page } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { currentAddress, go } from '../../router/current-address.ts'
import { SetEditor } from './set-editor.tsx'

const everybody = 'global'

export function RoutingPage(): JSX.Element {
  const ruleSet = currentAddress.value.query.get('set') ?? everybody
  const merchants = useMerchants()
  const sets = useReading('GET /routing/sets')
  const read = useReading('GET /routing/sets/:ruleSet', { params: { ruleSet } })
  const choices = [{ value: everybody, text: 'All merchants' }, ...merchants.choices].map(({ value, text }) => {
    const set = sets.value?.sets.find((one) => one.ruleSet === value)
    return { value, text: [text, ...stateOf(set)].join(' · ') }
  })
  return (
    <Page title="Routing">
      <SetChoice ruleSet={ruleSet} choices={choices} />
      {/* While another rule set loads, the previous one must not be shown under its name. */}
      <ReadResult read={read.value?.ruleSet === ruleSet ? read : { ...read, value: null }} lines={8}>
        {(set) => <SetEditor key={ruleSet} loaded={set} onChanged={sets.reload} reload={read.reload} />}
      </ReadResult>
    </Page>
  )
}

interface RuleSetVersions {
  readonly published: { readonly version: number } | null
  readonly draft: object | null
}

const stateOf = (set: RuleSetVersions | undefined): readonly string[] => [
  ...(set?.published ? [`version ${set.published.version}`] : []),
  ...(set?.draft ? ['draft'] : []),
]

function SetChoice({
  ruleSet,
  choices,
}: {
  readonly ruleSet: string
  readonly choices: readonly Choice[]
}): JSX.Element {
  return (
    <search class="filters">
      <div class="filter set-choice">
        <label for="rule-set">Rules of</label>
        <select
          id="rule-set"
          value={ruleSet}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget
            // Unsaved work may hold the navigation; until the user decides, this set is still shown.
            currentTarget.value = ruleSet
            go(value === everybody ? '/routing' : `/routing?set=${value}`)
          }}
        >
          {choices.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <p class="faint set-hint">
        {ruleSet === everybody
          ? 'Apply to every merchant, after the merchant’s own rules.'
          : 'Applied before the rules for all merchants.'}
      </p>
    </search>
  )
}
