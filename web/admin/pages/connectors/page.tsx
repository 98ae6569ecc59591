/** Connectors: native and of the family, with a search; what each can do, and the fields of its credentials. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, entriesOf, memberOf, textAt } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { Input } from '../../kit/form/input.tsx'
import { May } from '../../kit/may.tsx'
import { Page, Section } from '../../kit/page.tsx'
import { Empty, Notice, ReadResult } from '../../kit/states.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'

type Connector = Answer<'GET /connectors'>['connectors'][number]

export function ConnectorsPage(): JSX.Element {
  const read = useReading('GET /connectors')
  return (
    <Page title="Connectors">
      <ReadResult read={read}>{({ connectors }) => <Connectors connectors={connectors} />}</ReadResult>
    </Page>
  )
}

function Connectors({ connectors }: { readonly connectors: readonly Connector[] }): JSX.Element {
  const typed = useSignal('')
  const words = typed.value.trim().toLowerCase()
  const found = connectors.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(words))
  const native = found.filter(({ family }) => family === null)
  const others = found.filter(({ family }) => family !== null)
  return (
    <>
      <div class="search-box">
        <label for="connector-search">Search</label>
        <Input
          id="connector-search"
          type="search"
          value={typed.value}
          placeholder="Name of the acquirer"
          autoComplete="off"
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
          }}
        />
        <p role="status" class="faint">
          {found.length} of {connectors.length} connectors
        </p>
      </div>
      {found.length === 0 && <Empty title="No connector has this name." />}
      {native.map((connector) => (
        <ConnectorSection key={connector.id} connector={connector} />
      ))}
      {others.length > 0 && <Family connectors={others} />}
    </>
  )
}

/** Closed at first: there are many, and an operator looks for one. All of them need the same package. */
function Family({ connectors }: { readonly connectors: readonly Connector[] }): JSX.Element {
  const [first] = connectors
  return (
    <Section title="Prism connectors">
      {first?.unavailableBecause && <Notice tone="warn">{first.unavailableBecause}</Notice>}
      {connectors.map((connector) => (
        <details key={connector.id} class="family-member" open={connectors.length === 1}>
          <summary>
            {connector.title} <span class="mono faint">{connector.id}</span>
          </summary>
          <ConnectorFacts connector={connector} />
          <NewMidLink connector={connector} />
        </details>
      ))}
    </Section>
  )
}

const ConnectorSection = ({ connector }: { readonly connector: Connector }): JSX.Element => (
  <Section title={connector.title} actions={<NewMidLink connector={connector} />}>
    <ConnectorFacts connector={connector} />
  </Section>
)

const NewMidLink = ({ connector }: { readonly connector: Connector }): JSX.Element | null =>
  connector.unavailableBecause === null ? (
    <May use="mids.write">
      <ButtonLink to={`/mids/new?connector=${connector.id}`} icon="plus">
        New MID
      </ButtonLink>
    </May>
  ) : null

const ConnectorFacts = ({ connector }: { readonly connector: Connector }): JSX.Element => (
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
