/** Sign-up links: made, shown once, and revoked. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call, type Result } from '../../../api/call.ts'
import { useMerchants } from '../../../api/merchants.ts'
import { useReading } from '../../../api/use-reading.ts'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../../kit/data-table.tsx'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import { May } from '../../../kit/may.tsx'
import { Section } from '../../../kit/page.tsx'
import { Empty, type Tone } from '../../../kit/states.tsx'
import { toast } from '../../../kit/toasts.tsx'
import { countText } from '../../../kit/values/count-text.ts'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { SecretOnce } from '../../../kit/values/secret-once.tsx'
import { may, session } from '../../../session/session.ts'
import { NewSignUpLinkDialog } from './new-sign-up-link.tsx'

type Link = Answer<'GET /sign-up-links'>['links'][number]

const tones: Readonly<Record<Link['state'], Tone>> = {
  open: 'good',
  'used up': 'plain',
  expired: 'plain',
  revoked: 'bad',
}

export function SignUpLinks(): JSX.Element {
  const read = useReading('GET /sign-up-links')
  const merchants = useMerchants()
  const isAdding = useSignal(false)
  const address = useSignal<string | null>(null)
  const revoked = useSignal<Link | null>(null)
  const canMail = session.value?.sendsMail === true
  return (
    <Section
      title="Sign-up links"
      actions={
        <May use="users.write">
          <Button
            icon="plus"
            disabled={!canMail}
            onClick={() => {
              isAdding.value = true
            }}
          >
            New sign-up link
          </Button>
        </May>
      }
    >
      <p class="faint">
        {canMail
          ? 'People of a merchant make their own accounts with a link, and confirm their e-mail address.'
          : 'Sign-up links need a mail server: set SMTP_URL and MAIL_FROM.'}
      </p>
      <DataTable
        caption="Sign-up links"
        list={pageOfRead(read, ({ links }) => links)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Note', cell: ({ note }) => note || 'none', cut: ({ note }) => note },
          { title: 'Role', cell: ({ role }) => role, whole: true },
          {
            title: 'Merchants',
            cell: ({ merchantIds }) => merchantIds.map((id) => merchants.title(id)).join(', '),
            cut: ({ merchantIds }) => merchantIds.map((id) => merchants.title(id)).join(', '),
          },
          { title: 'State', cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge> },
          {
            title: 'Used',
            end: true,
            whole: true,
            cell: ({ used, uses }) => `${countText(used)} of ${countText(uses)}`,
          },
          { title: 'Expires', cell: ({ expiresAt }) => <DateTime at={expiresAt} /> },
          { title: 'Created by', cell: ({ createdBy }) => createdBy, cut: ({ createdBy }) => createdBy, minor: true },
          {
            title: 'Actions',
            end: true,
            cell: (link) =>
              link.state === 'open' &&
              may('users.write') && (
                <Button
                  small
                  onClick={() => {
                    revoked.value = link
                  }}
                >
                  Revoke
                </Button>
              ),
          },
        ]}
        empty={<Empty title="No sign-up links." />}
      />
      {isAdding.value && (
        <NewSignUpLinkDialog
          onDone={(newAddress) => {
            address.value = newAddress
            isAdding.value = false
            read.reload()
          }}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
      {address.value !== null && (
        <SecretOnce
          title="The sign-up link"
          note="Copy this address now and pass it on. It will not be shown again."
          secrets={[['Address', address.value]]}
          onClose={() => {
            address.value = null
          }}
        />
      )}
      {revoked.value !== null && (
        <RevokeDialog
          link={revoked.value}
          onDone={read.reload}
          onClose={() => {
            revoked.value = null
          }}
        />
      )}
    </Section>
  )
}

interface RevokeDialogProps {
  readonly link: Link
  readonly onDone: () => void
  readonly onClose: () => void
}

function RevokeDialog({ link, onDone, onClose }: RevokeDialogProps): JSX.Element {
  const revoke = async (): Promise<Result<unknown>> => {
    const result = await call('DELETE /sign-up-links/:signUpLinkId', { params: { signUpLinkId: link.id } })
    if (result.ok) {
      toast('Sign-up link revoked.')
      onDone()
    }
    return result
  }
  return (
    <ConfirmDialog title="Revoke sign-up link?" act="Revoke" danger onConfirm={revoke} onClose={onClose}>
      <p>No person can sign up with it any more. Users who came from it keep their access.</p>
    </ConfirmDialog>
  )
}
