/** The form of a merchant's branding beside its preview. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { brandTemplates, templateNames } from '#domain/checkout/branding.ts'
import { type Answer, call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { FieldGroup, SelectField } from '../../kit/form/fields.tsx'
import { readBase64 } from '../../kit/form/file-bytes.ts'
import { Form } from '../../kit/form/form.tsx'
import { type FormState, useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { may } from '../../session/session.ts'
import { ColourField } from './colour-field.tsx'
import { LogoField } from './logo-field.tsx'
import { type Branding, coloursOf, faultsOf, type Look, lookOf } from './look.ts'
import { Preview } from './preview.tsx'

interface BrandingEditorProps {
  readonly merchantId: string
  /** Null: the default appearance. */
  readonly branding: Branding | null
  readonly onSaved: () => void
}

export function BrandingEditor({ merchantId, branding, onSaved }: BrandingEditorProps): JSX.Element {
  const isResetting = useSignal(false)
  const plain = useForm<Look, Answer<'PUT /merchants/:merchantId/branding'>>({
    initial: lookOf(branding),
    check: faultsOf,
    send: async (look) =>
      call('PUT /merchants/:merchantId/branding', { params: { merchantId }, body: await readBody(look) }),
    onDone: () => {
      toast('Branding saved. Payers see it now.')
      onSaved()
    },
  })
  const form = withFaults(plain)
  return (
    <div class="branding">
      <Section title="Appearance">
        <Form
          form={form}
          act="Save"
          always={false}
          readOnly={!may('branding.write')}
          more={<ResetButton branding={branding} opened={isResetting} />}
        >
          <LookFields form={form} branding={branding} />
        </Form>
        {branding !== null && (
          <p class="faint">
            Changed <DateTime at={branding.changedAt} /> by {branding.changedBy}.
          </p>
        )}
      </Section>
      <Preview merchantId={merchantId} look={form.values} />
      {isResetting.value && (
        <ResetDialog
          merchantId={merchantId}
          onDone={onSaved}
          onClose={() => {
            isResetting.value = false
          }}
        />
      )}
    </div>
  )
}

interface ResetButtonProps {
  readonly branding: Branding | null
  readonly opened: { value: boolean }
}

const ResetButton = ({ branding, opened }: ResetButtonProps): JSX.Element | null =>
  branding === null ? null : (
    <Button
      kind="danger"
      onClick={() => {
        opened.value = true
      }}
    >
      Reset
    </Button>
  )

function LookFields({
  form,
  branding,
}: {
  readonly form: FormState<Look>
  readonly branding: Branding | null
}): JSX.Element {
  return (
    <>
      <SelectField
        label="Template"
        hint={brandTemplates[form.values.template]}
        at={form.at('template')}
        options={templateNames.map((name) => ({ value: name, text: name }))}
      />
      <FieldGroup title="Colours" hint="As #rrggbb. Text needs a contrast of at least 4.5:1.">
        <ColourField label="Background" at={form.at('background')} />
        <ColourField label="Heading" hint="Requires a background colour." at={form.at('heading')} />
        <ColourField label="Button" at={form.at('button')} />
      </FieldGroup>
      <FieldGroup title="Logo">
        <LogoField form={form} saved={branding?.logo ?? null} />
      </FieldGroup>
    </>
  )
}

/** Reported while the colours are chosen, not only when they are saved. */
function withFaults(form: FormState<Look>): FormState<Look> {
  const faults: Readonly<Partial<Record<string, string>>> = faultsOf(form.values)
  return {
    ...form,
    at: (name) => {
      const bound = form.at(name)
      return { ...bound, error: bound.error ?? faults[name] ?? null }
    },
  }
}

async function readBody(look: Look) {
  const logo = look.logo === null ? {} : { logo: await readBase64(look.logo) }
  return { ...coloursOf(look), template: look.template, ...(look.withoutLogo ? { logo: null } : logo) }
}

interface ResetDialogProps {
  readonly merchantId: string
  readonly onDone: () => void
  readonly onClose: () => void
}

const ResetDialog = ({ merchantId, onDone, onClose }: ResetDialogProps): JSX.Element => (
  <ConfirmDialog
    title="Reset branding?"
    act="Reset"
    danger
    onClose={onClose}
    onConfirm={async () => {
      const result = await call('DELETE /merchants/:merchantId/branding', { params: { merchantId }, body: {} })
      if (result.ok) {
        toast('Branding reset.')
        onDone()
      }
      return result
    }}
  >
    <p>The merchant’s colours, template and logo are deleted. Payers see the standard page immediately.</p>
  </ConfirmDialog>
)
