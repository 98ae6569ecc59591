/** The domains that show the wallet's button: entered in batches, each with its state, its file and its last check (chapter 40 §8). */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { limits } from '#domain/limits.ts'
import { type Answer, call } from '../../../api/call.ts'
import { Status } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { type Column, DataTable, pageOfRows } from '../../../kit/data-table.tsx'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import { FieldRow, SelectField, TextArea } from '../../../kit/form/fields.tsx'
import { FileButton } from '../../../kit/form/file-button.tsx'
import { readBase64 } from '../../../kit/form/file-bytes.ts'
import { Form } from '../../../kit/form/form.tsx'
import { useForm } from '../../../kit/form/use-form.ts'
import { May } from '../../../kit/may.tsx'
import { Section } from '../../../kit/page.tsx'
import { Empty, Notice } from '../../../kit/states.tsx'
import { toast, toastFault } from '../../../kit/toasts.tsx'
import { countText } from '../../../kit/values/count-text.ts'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { may } from '../../../session/session.ts'
import { domainFaultText } from './domain-fault.ts'
import type { WalletRecordKey, WalletView } from './wallet-record.ts'

type Domain = WalletView['domains'][number]
type Lines = Answer<'POST /merchants/:merchantId/wallet-domains/:wallet'>['lines']

const filePath = '/.well-known/apple-developer-merchantid-domain-association'

interface WalletDomainsProps {
  readonly recordKey: WalletRecordKey
  readonly domains: readonly Domain[]
  readonly setup: string
  readonly onChanged: () => void
}

export function WalletDomains({ recordKey, domains, setup, onChanged }: WalletDomainsProps): JSX.Element {
  const removing = useSignal<Domain | null>(null)
  const params = { merchantId: recordKey.merchantId, wallet: recordKey.wallet }
  const verify = async ({ domain }: Domain): Promise<void> => {
    const address = { ...params, domain }
    const result = await call('POST /merchants/:merchantId/wallet-domains/:wallet/:domain/verified', {
      params: address,
      body: {},
    })
    if (!result.ok) return toastFault(result.fault)
    toast(`${domain} marked as verified with the wallet provider.`)
    onChanged()
  }
  const upload = async ({ domain }: Domain, file: File): Promise<void> => {
    const body = { base64: await readBase64(file) }
    const result = await call('PUT /merchants/:merchantId/wallet-domains/:wallet/:domain/file', {
      params: { ...params, domain },
      body,
    })
    if (!result.ok) return toastFault(result.fault)
    toast(`The file for ${domain} is now served.`)
    onChanged()
  }
  return (
    <Section title={`Domains (${countText(domains.length)} of ${countText(limits.wallet.domains)})`}>
      <p class="faint">
        Each domain must serve its file at <span class="mono">{filePath}</span>.
      </p>
      <DataTable
        caption="Domains"
        list={pageOfRows(domains)}
        keyOf={({ domain }) => domain}
        columns={columnsWith(setup, {
          verify: (one) => void verify(one),
          upload: (one, file) => void upload(one, file),
          remove: (one) => {
            removing.value = one
          },
        })}
        empty={
          <Empty title="No domains yet.">
            <p>Add every domain and subdomain that shows the button.</p>
          </Empty>
        }
      />
      <May use="wallets.write">
        <BatchForm recordKey={recordKey} onDone={onChanged} />
      </May>
      {removing.value && (
        <ConfirmDialog
          title={`Remove ${removing.value.domain}?`}
          act="Remove"
          danger
          onClose={() => {
            removing.value = null
          }}
          onConfirm={async () => {
            const domain = removing.value?.domain ?? ''
            const address = { ...params, domain }
            const result = await call('DELETE /merchants/:merchantId/wallet-domains/:wallet/:domain', {
              params: address,
              body: {},
            })
            if (result.ok) {
              toast(`${domain} removed.`)
              onChanged()
            }
            return result
          }}
        >
          <p>The button is no longer shown on this domain, and its file is no longer served.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

interface Acts {
  readonly verify: (domain: Domain) => void
  readonly upload: (domain: Domain, file: File) => void
  readonly remove: (domain: Domain) => void
}

function columnsWith(setup: string, acts: Acts): readonly Column<Domain>[] {
  const columns: readonly Column<Domain>[] = [
    {
      title: 'Domain',
      cell: ({ domain }) => (
        <span class="copyable domain-name">
          {domain}
          <CopyButton text={`https://${domain}${filePath}`} label={`Copy the address of the file of ${domain}`} />
        </span>
      ),
    },
    { title: 'State', cell: ({ state, lastFault }) => <StateOf state={state} fault={lastFault} /> },
    { title: 'Purpose', cell: ({ purpose, controlledBy }) => `${purpose}, controlled by ${controlledBy}`, minor: true },
    { title: 'Last check', cell: ({ lastCheck }) => <DateTime at={lastCheck} /> },
  ]
  if (!may('wallets.write')) return columns
  const buttons: Column<Domain> = {
    title: 'Actions',
    end: true,
    cell: (domain) => (
      <div class="row-actions">
        {setup === 'own_account' && (
          <FileButton small onChosen={(file) => acts.upload(domain, file)}>
            Upload file
          </FileButton>
        )}
        {domain.verifiedAtMaker === null && (
          <Button small onClick={() => acts.verify(domain)}>
            Mark as verified
          </Button>
        )}
        <Button small kind="danger" onClick={() => acts.remove(domain)}>
          Remove
        </Button>
      </div>
    ),
  }
  return [...columns, buttons]
}

const StateOf = ({ state, fault }: { readonly state: string; readonly fault: string | null }): JSX.Element => (
  <span class="cell-parts">
    <Status of={state} /> {fault !== null && <span class="faint">{domainFaultText(fault)}</span>}
  </span>
)

function BatchForm({
  recordKey,
  onDone,
}: {
  readonly recordKey: WalletRecordKey
  readonly onDone: () => void
}): JSX.Element {
  const lines = useSignal<Lines>([])
  const form = useForm<BatchValues, Answer<'POST /merchants/:merchantId/wallet-domains/:wallet'>>({
    initial: { domains: '', purpose: recordKey.mode === 'live' ? 'production' : 'test', controlledBy: 'operator' },
    guards: false,
    check: ({ domains }) => ({ domains: domains.trim() === '' ? 'Enter at least one domain.' : null }),
    send: (values) =>
      call('POST /merchants/:merchantId/wallet-domains/:wallet', {
        params: { merchantId: recordKey.merchantId, wallet: recordKey.wallet },
        body: values,
      }),
    onDone: (answer) => {
      lines.value = answer.lines
      form.reset({ ...form.values, domains: '' })
      onDone()
    },
  })
  return (
    <Form form={form} act="Add domains">
      <TextArea
        label="Domains, one per line"
        mono
        rows={4}
        hint={`Up to ${limits.wallet.domains} domains per merchant.`}
        at={form.at('domains')}
      />
      <FieldRow>
        <SelectField label="Purpose" at={form.at('purpose')} options={purposes} />
        <SelectField
          label="Controlled by"
          hint="Who serves the file: this service, or the merchant’s own server."
          at={form.at('controlledBy')}
          options={controllers}
        />
      </FieldRow>
      {lines.value.length > 0 && (
        <Notice tone={lines.value.every(({ result }) => result === 'added') ? 'good' : 'warn'}>
          <div role="status">
            <ul class="bare">
              {lines.value.map(({ line, result, text }) => (
                <li key={line}>
                  <span class="mono">{line}</span>: {result}
                  {text !== null && `. ${text}`}
                </li>
              ))}
            </ul>
          </div>
        </Notice>
      )}
    </Form>
  )
}

interface BatchValues {
  readonly domains: string
  readonly purpose: 'production' | 'test'
  readonly controlledBy: 'operator' | 'merchant'
}

const purposes = [
  { value: 'production', text: 'production' },
  { value: 'test', text: 'test' },
] as const

const controllers = [
  { value: 'operator', text: 'the operator' },
  { value: 'merchant', text: 'the merchant' },
] as const
