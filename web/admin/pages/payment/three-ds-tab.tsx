/** What 3-D Secure told, and what the payer's browser said of itself. */
import type { JSX } from 'preact'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import type { Details } from './details.ts'
import { Pairs } from './pairs.tsx'

export function ThreeDsTab({ details: { threeDs, browser } }: { readonly details: Details }): JSX.Element {
  return (
    <>
      <Section title="3-D Secure">
        {threeDs === null ? <Empty title="The payer was not authenticated by 3-D Secure." /> : <Pairs of={threeDs} />}
      </Section>
      <Section title="Browser">
        {browser === null ? <Empty title="Nothing is known of the payer’s browser." /> : <Pairs of={browser} />}
      </Section>
    </>
  )
}
