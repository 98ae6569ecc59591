/** The wallet simulator of a sandbox: mints genuine or faulty tokens for any merchant with the wallet enabled for tests. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { Page, Section } from '../../kit/page.tsx'
import { Notice, ReadResult } from '../../kit/states.tsx'
import { FaultTable } from './fault-table.tsx'
import { cardsIn, type Fault, faultsIn } from './lists.ts'
import { type MintAnswer, MintForm } from './mint-form.tsx'
import { MintedToken } from './minted-token.tsx'

export function SimulatorPage(): JSX.Element {
  const merchants = useMerchants()
  const cards = useReading('GET /simulator/cards')
  const faults = useReading('GET /simulator/faults')
  const minted = useSignal<{ readonly token: MintAnswer } | null>(null)
  return (
    <Page title="Wallet simulator">
      <Notice>
        <p>
          Tests wallets without a device. Tokens created here are signed by the sandbox authority and are refused by
          live instances. The{' '}
          <a href="/simulator/phone" target="_blank" rel="noreferrer">
            virtual phone
          </a>{' '}
          confirms payments that the hosted page shows as a QR code.
        </p>
      </Notice>
      <Section title="Create token">
        <ReadResult read={cards}>
          {({ cards: listed }) => (
            <MintForm
              merchants={merchants.choices}
              cards={cardsIn(listed)}
              faults={faultsIn(faults.value?.faults)}
              onMinted={(token) => {
                minted.value = { token }
              }}
            />
          )}
        </ReadResult>
      </Section>
      {minted.value && <MintedToken minted={minted.value.token} />}
      <Section title="Token faults">
        <ReadResult read={faults}>{({ faults: listed }) => <Faults faults={faultsIn(listed)} />}</ReadResult>
      </Section>
    </Page>
  )
}

const Faults = ({ faults }: { readonly faults: readonly Fault[] }): JSX.Element => (
  <details>
    <summary>{faults.length} faults, with the check that finds each and the answer that it gets</summary>
    <div class="folded">
      <FaultTable faults={faults} />
    </div>
  </details>
)
