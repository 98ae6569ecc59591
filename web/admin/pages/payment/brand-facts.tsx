/** The attributes of the brand that were stored with the payment. */
import type { JSX } from 'preact'
import { memberOf, wordAt } from '../../api/call.ts'
import { Section } from '../../kit/page.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { type KeyValue, KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'

export const BrandSection = ({ facts }: { readonly facts: unknown }): JSX.Element => (
  <Section title="Brand">
    <KeyValues
      rows={[
        ['Brand', <BrandLink code={wordAt(facts, 'code')} />],
        ...rows.flatMap(([name, title]): readonly KeyValue[] =>
          memberOf(facts, name) === null ? [] : [[title, wordAt(facts, name)]],
        ),
        ['Payer must act before', <DateTime at={wordAt(facts, 'expiresAt')} seconds />],
      ]}
    />
  </Section>
)

const BrandLink = ({ code }: { readonly code: string }): JSX.Element =>
  may('brands.read') ? <Link to={`/brands/${code}`}>{code}</Link> : <span>{code}</span>

// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [string, string])[] = [
  // member            title
  ['sentAs',           'Sent as'],
  ['kind',             'Kind'],
  ['identifier',       'Identifier'],
  ['cryptoNetwork',    'Crypto network'],
  ['waiting',          'Status while waiting'],
  ['refund',           'Refunds'],
  ['partialCapture',   'Partial captures'],
  ['void',             'Voids'],
  ['version',          'Record version'],
  ['sandboxBehaviour', 'Sandbox behaviour'],
]
