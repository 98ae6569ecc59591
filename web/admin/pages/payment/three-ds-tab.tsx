/** The result of 3-D Secure, and what the payer's browser reported. */
import type { JSX } from 'preact'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import type { Details } from './details.ts'
import { Pairs } from './pairs.tsx'

export function ThreeDsTab({ details: { threeDs, browser } }: { readonly details: Details }): JSX.Element {
  return (
    <>
      <Section title="3-D Secure">
        {threeDs === null ? <Empty title="No 3-D Secure authentication." /> : <Pairs of={threeDs} />}
      </Section>
      <Section title="Browser">
        {browser === null ? <Empty title="No browser data." /> : <Pairs of={browser} />}
      </Section>
    </>
  )
}
