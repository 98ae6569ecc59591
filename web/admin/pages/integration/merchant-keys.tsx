/** The keys and addresses of the user's merchants; passwords and secrets are on each merchant's page. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { Copyable } from '../../kit/copy-button.tsx'
import { Section } from '../../kit/page.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'

export function MerchantKeys(): JSX.Element {
  const { list } = useMerchants()
  return (
    <>
      {list.map(({ id, title, key, testKey, notificationUrl, testNotificationUrl }) => (
        <Section key={id} title={title}>
          <div class="wide-values">
            <KeyValues
              rows={[
                ['Live key', <Copyable text={key} label={`Copy the live key of ${title}`} />],
                ['Test key', <Copyable text={testKey} label={`Copy the test key of ${title}`} />],
                ['Notification address', notificationUrl ?? 'not set'],
                ['Notification address of tests', testNotificationUrl ?? 'not set'],
                ['Password and secrets', <Link to={`/merchants/${id}?tab=keys`}>Open the merchant</Link>],
              ]}
            />
          </div>
        </Section>
      ))}
    </>
  )
}
