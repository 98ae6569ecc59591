/** Connectors: their capabilities, which routing also uses, and the fields of their credentials. */
import type { JSX } from 'preact'
import { type Answer, entriesOf, memberOf, textAt } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { May } from '../../kit/may.tsx'
import { Page, Section } from '../../kit/page.tsx'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'

type Connector = Answer<'GET /connectors'>['connectors'][number]

export function ConnectorsPage(): JSX.Element {
  const read = useReading('GET /connectors')
  return (
    <Page title="Connectors">
      <ReadResult read={read}>
        {({ connectors }) =>
          connectors.length === 0 ? (
            <Empty title="No connectors in this release." />
          ) : (
            connectors.map((connector) => <ConnectorSection key={connector.id} connector={connector} />)
          )
        }
      </ReadResult>
    </Page>
  )
}

const ConnectorSection = ({ connector }: { readonly connector: Connector }): JSX.Element => (
  <Section
    title={connector.title}
    actions={
      <May use="mids.write">
        <ButtonLink to={`/mids/new?connector=${connector.id}`} icon="plus">
          New MID
        </ButtonLink>
      </May>
    }
  >
    <KeyValues
      rows={[
        ['Identifier', <span class="mono">{connector.id}</span>],
        ['Operations', <Words words={connector.actions} />],
        ['Supported', <Words words={titlesOf(connector, true)} />],
        ['Not supported', <Words words={titlesOf(connector, false)} />],
        ['An unknown outcome is', connector.recovery.title],
        ['Credentials', <Credentials schema={connector.credentials} />],
      ]}
    />
  </Section>
)

const Words = ({ words }: { readonly words: readonly string[] }): JSX.Element =>
  words.length === 0 ? (
    <span class="faint">nothing</span>
  ) : (
    <span class="badges">
      {words.map((word) => (
        <Badge key={word}>{word}</Badge>
      ))}
    </span>
  )

const titlesOf = ({ capabilities }: Connector, isOffered: boolean): readonly string[] =>
  capabilities.filter((capability) => capability.isOffered === isOffered).map(({ title }) => title)

function Credentials({ schema }: { readonly schema: unknown }): JSX.Element {
  const entries = entriesOf(memberOf(schema, 'properties'))
  if (entries.length === 0) return <span class="faint">none</span>
  return (
    <ul class="bare">
      {entries.map(([name, property]) => (
        <li key={name}>
          <span class="mono">{name}</span> <span class="faint">{textAt(property, 'description')}</span>
        </li>
      ))}
    </ul>
  )
}
