/** Which wallet record is meant, what is known of it, and how its state reads. */
import type { JSX } from 'preact'
import type { Answer } from '../../../api/call.ts'
import { Badge } from '../../../kit/badge.tsx'
import type { Tone } from '../../../kit/states.tsx'
import type { Side } from '../../../session/side.ts'

export type WalletName = 'walletapay' | 'walletbpay'

/** One record per merchant, wallet and side. */
export interface WalletPlace {
  readonly merchantId: string
  readonly side: Side
  readonly wallet: WalletName
}

type Record = Answer<'GET /merchants/:merchantId/wallets/:side/:wallet'>
export type WalletView = NonNullable<Record['view']>
export type WalletTask = Record['tasks'][number]
export type WalletChange = Record['history'][number]

// biome-ignore format: a table is read in columns.
const states: Readonly<Partial<{ [state: string]: readonly [Tone, string] }>> = {
  live:     ['good',  'It takes payments everywhere.'],
  degraded: ['warn',  'It takes payments, though not everywhere:'],
  draft:    ['info',  'It is not usable yet:'],
  lapsed:   ['bad',   'It takes no payments, because a certificate has expired:'],
  disabled: ['plain', 'It is switched off.'],
}

export function WalletState({ view }: { readonly view: WalletView | null }): JSX.Element {
  if (view === null)
    return (
      <p>
        <Badge>not set up</Badge> The merchant has never had this wallet on this side. Fill in the settings below.
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
