/** The state of a wallet in words, and the reasons for it. */
import type { JSX } from 'preact'
import { Badge } from '../../../kit/badge.tsx'
import type { Tone } from '../../../kit/states.tsx'
import type { WalletView } from './wallet-record.ts'

// biome-ignore format: a table is read in columns.
const states: Readonly<Partial<{ [state: string]: readonly [Tone, string] }>> = {
  live:     ['good',  'The wallet accepts payments.'],
  degraded: ['warn',  'The wallet accepts payments with limitations:'],
  draft:    ['info',  'The wallet cannot be used yet:'],
  lapsed:   ['bad',   'The wallet accepts no payments because a certificate has expired:'],
  disabled: ['plain', 'The wallet is disabled.'],
}

export function WalletState({ view }: { readonly view: WalletView | null }): JSX.Element {
  if (view === null)
    return (
      <p>
        <Badge>not set up</Badge> This wallet is not set up in this mode. Fill in the settings below.
      </p>
    )
  const [tone, text] = states[view.state] ?? ['plain', '']
  return (
    <>
      <p>
        <Badge tone={tone}>{view.state}</Badge> {text}
      </p>
      {view.reasons.length > 0 && (
        <ul>
          {view.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </>
  )
}
