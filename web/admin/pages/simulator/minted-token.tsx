/** A minted token: the exact text to send, and its content. */
import type { JSX } from 'preact'
import { entriesOf, memberOf, textAt, wordAt } from '../../api/call.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Section } from '../../kit/page.tsx'
import { Notice } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { JsonView } from '../../kit/values/json-view.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import type { MintAnswer } from './mint-form.tsx'

export function MintedToken({ minted }: { readonly minted: MintAnswer }): JSX.Element {
  const token = textAt(minted, 'token')
  const tokensToSendFirst = memberOf(minted, 'before')
  const facts = memberOf(minted, 'facts')
  return (
    <Section title="Token" actions={<CopyButton text={token} label="Copy the token" />}>
      <p>
        Send it as <span class="mono">payment_token</span> of a wallet payment. It is valid for five minutes and can be
        used once.
      </p>
      {Array.isArray(tokensToSendFirst) && tokensToSendFirst.length > 0 && (
        <Notice tone="warn">
          <p>
            {tokensToSendFirst.length} other {tokensToSendFirst.length === 1 ? 'token has' : 'tokens have'} to be sent
            first; see below.
          </p>
        </Notice>
      )}
      {/* Not formatted: the token must be sent byte for byte. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <section class="minted" aria-label="Token" tabIndex={0}>
        {token}
      </section>
      <KeyValues
        rows={entriesOf(facts).map(([name]) => [
          names[name] ?? name,
          name === 'signed_at' ? (
            <DateTime at={wordAt(facts, name)} seconds />
          ) : (
            <span class="mono">{wordAt(facts, name)}</span>
          ),
        ])}
      />
      {Array.isArray(tokensToSendFirst) && tokensToSendFirst.length > 0 && (
        <JsonView value={tokensToSendFirst} label="Tokens to send first" />
      )}
    </Section>
  )
}

// biome-ignore format: a table is read in columns.
const names: Readonly<Record<string, string>> = {
  // fact            title
  wallet:          'Wallet',
  version:         'Version',
  card_name:       'Test card',
  card:            'Card',
  pan_type:        'Number type',
  key_fingerprint: 'Fingerprint of the key',
  public_key_hash: 'Hash of the public key',
  signed_at:       'Signed',
  leaf_serial:     'Serial of the certificate',
}
