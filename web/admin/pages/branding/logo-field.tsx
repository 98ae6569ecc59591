/** The logo that payers see now, and the file that replaces it when saved. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { logoBytesAtMost } from '#domain/checkout/branding.ts'
import { CheckField } from '../../kit/form/fields.tsx'
import { readDataUrl } from '../../kit/form/file-bytes.ts'
import { FileField } from '../../kit/form/file-field.tsx'
import type { FormState } from '../../kit/form/use-form.ts'
import type { Branding, Look } from './look.ts'

interface LogoFieldProps {
  readonly form: FormState<Look>
  readonly saved: Branding['logo']
}

export function LogoField({ form, saved }: LogoFieldProps): JSX.Element {
  const { logo, withoutLogo } = form.values
  const chosen = useSignal<string | null>(null)
  useEffect(() => {
    chosen.value = null
    if (logo === null) return
    let isGone = false
    void readDataUrl(logo).then((url) => {
      if (!isGone) chosen.value = url
    })
    return () => {
      isGone = true
    }
  }, [logo])
  const shown = chosen.value ?? (saved === null ? null : `/branding/${saved.hash}`)
  return (
    <>
      {shown !== null && !withoutLogo && (
        <div class="logo-shown">
          <img src={shown} alt={chosen.value === null ? 'Current logo' : 'Selected logo'} />
          {chosen.value !== null && <p class="hint">Not saved yet. Only the preview shows it.</p>}
        </div>
      )}
      <FileField
        label={saved === null ? 'Logo' : 'Replace logo'}
        optional
        accept="image/png,image/svg+xml"
        hint={`PNG, or SVG without scripts; up to ${logoBytesAtMost / 1024} KiB.`}
        at={form.at('logo')}
        disabled={withoutLogo}
      />
      {saved !== null && <CheckField label="Show no logo" at={form.at('withoutLogo')} />}
    </>
  )
}
