/** How far the payers of hosted pages came. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { type Share, ShareBars } from '../../kit/values/share-bars.tsx'
import { rateText } from './rate-text.ts'

type Funnel = Answer<'GET /analytics/funnel'>

export function PageFunnel({ funnel }: { readonly funnel: Funnel }): JSX.Element {
  const { sessions, complete } = funnel
  return (
    <Section title="Hosted page">
      {sessions === 0 ? (
        <Empty title="No sessions of the hosted page in this period." />
      ) : (
        <>
          {!complete && <p class="faint">Of the newest {countText(sessions)} sessions of this period.</p>}
          <ShareBars label="Hosted page" shares={stepsOf(funnel)} percent={false} full={sessions} />
        </>
      )}
    </Section>
  )
}

function stepsOf({ sessions, opened, attempted, challenged, paid, left }: Funnel): readonly Share[] {
  const step = (label: string, value: number): Share => ({
    label,
    value,
    text: `${countText(value)}, ${rateText(value / sessions)}`,
  })
  return [
    step('Sessions', sessions),
    step('Opened', opened),
    step('Attempted', attempted),
    step('Challenged', challenged),
    step('Paid', paid),
    step('Left without paying', left),
  ]
}
