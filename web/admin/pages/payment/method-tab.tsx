/** The card and the wallet of a payment: masked, with the checks of the token, and the full number for users with the permission. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { walletTitle } from '../payments/method.ts'
import { BrandSection } from './brand-facts.tsx'
import { type Details, placeOf, type WalletFacts } from './details.ts'
import { Pairs } from './pairs.tsx'
import { WalletChecks } from './wallet-checks.tsx'

export function MethodTab({ details }: { readonly details: Details }): JSX.Element {
  const { payment, walletFacts, brandFacts, issuer, storedCredential, refusedTokens, erasedAt } = details
  // Erasure removes the number; the masked digits stay for disputes.
  const hasNumber = payment.cardMask !== null && erasedAt === null
  return (
    <>
      {(payment.cardMask !== null || brandFacts === null) && (
        <Section title="Card" actions={hasNumber && <Reveal details={details} />}>
          {payment.cardMask === null ? (
            <Empty title="No card." />
          ) : (
            <KeyValues
              rows={[
                ['Number', <span class="mono">{payment.cardMask}</span>],
                ['Expires', payment.cardExpiry],
                ['Source', payment.cardSource],
                ...Object.entries(issuer ?? {}).map(([name, value]) => [`Issuer’s ${name}`, value] as const),
              ]}
            />
          )}
        </Section>
      )}
      {walletFacts && <Wallet facts={walletFacts} />}
      {storedCredential && (
        <Section title="Stored credential">
          <Pairs of={storedCredential} />
        </Section>
      )}
      {brandFacts !== null && <BrandSection facts={brandFacts} />}
      {refusedTokens.map(({ requestId, at, record }) => (
        <Section key={requestId} title="Refused token of the same order">
          <div class="stack">
            <p class="faint">
              Request {requestId}, <DateTime at={at} seconds />
            </p>
            <WalletChecks record={record} folded />
          </div>
        </Section>
      ))}
    </>
  )
}

function Wallet({ facts }: { readonly facts: WalletFacts }): JSX.Element {
  return (
    <Section title={walletTitle(facts.name)}>
      <div class="stack">
        <KeyValues
          rows={[
            ['Sent as', <code>{facts.sentAs}</code>],
            ['Display name', facts.displayName],
            ['Device', facts.deviceId],
            ['ECI', facts.eci],
            ['Data', facts.dataType],
            facts.assurance !== undefined && [
              'Cardholder authenticated',
              facts.assurance.cardHolderAuthenticated ? 'yes' : 'no',
            ],
            facts.assurance !== undefined && ['Account verified', facts.assurance.accountVerified ? 'yes' : 'no'],
          ]}
        />
        <WalletChecks record={facts.checks} />
      </div>
    </Section>
  )
}

function Reveal({ details: { payment } }: { readonly details: Details }): JSX.Element {
  const isAsking = useSignal(false)
  const number = useSignal<string | null>(null)
  return (
    <May use="payments.reveal">
      <Button
        small
        icon="key"
        onClick={() => {
          isAsking.value = true
        }}
      >
        Show number
      </Button>
      {isAsking.value && (
        <ConfirmDialog
          title="Show card number?"
          act="Show"
          reason="required"
          onClose={() => {
            isAsking.value = false
          }}
          onConfirm={async (reason) => {
            const result = await call('POST /merchants/:merchantId/payments/:paymentId/card', {
              params: placeOf(payment),
              body: { reason },
            })
            if (result.ok) number.value = result.value.number
            return result
          }}
        >
          <p>Your access and the reason are recorded in the audit log.</p>
        </ConfirmDialog>
      )}
      {number.value !== null && (
        <SecretOnce
          title="Card number"
          secrets={[['Number', number.value]]}
          note="Close this as soon as you have what you need. Every access is recorded."
          act="Close"
          onClose={() => {
            number.value = null
          }}
        />
      )}
    </May>
  )
}
