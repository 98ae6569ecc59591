/** The address to which the acquirer reports: entered in its dashboard. */
import type { JSX } from 'preact'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Section } from '../../kit/page.tsx'

export function NotificationAddress({ url }: { readonly url: string }): JSX.Element {
  return (
    <Section title="Webhook address">
      <p>
        <code>{url}</code> <CopyButton text={url} label="Copy the webhook address" />
      </p>
      <p class="faint">
        Enter it in the acquirer’s dashboard, so that the acquirer can report outcomes, refunds and disputes.
      </p>
    </Section>
  )
}
