/** The hosted page in a frame with the values being typed, at the width of a phone or of a desktop. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { languages } from '#domain/place/language.ts'
import { call } from '../../api/call.ts'
import { readBase64 } from '../../kit/form/file-bytes.ts'
import { Section } from '../../kit/page.tsx'
import { type Look, previewAddress } from './look.ts'

/** Long enough not to reload at every digit of a colour. */
const pauseMs = 300

// biome-ignore format: a table is read in columns.
const screens = {
  // name      in words             pixels
  phone:    { title: 'Phone',   width: 360,  height: 720 },
  desktop:  { title: 'Desktop', width: 1200, height: 800 },
} as const

type ScreenName = keyof typeof screens
const screenNames: readonly ScreenName[] = ['phone', 'desktop']

interface PreviewProps {
  readonly merchantId: string
  readonly look: Look
}

export function Preview({ merchantId, look }: PreviewProps): JSX.Element {
  const screen = useSignal<ScreenName>(matchMedia('(max-width: 60rem)').matches ? 'phone' : 'desktop')
  const language = useSignal('en')
  const logo = useChosenLogo(merchantId, look.logo)
  const wanted = previewAddress({ merchantId, look, logo, language: language.value })
  const address = useSignal(wanted)
  useEffect(() => {
    const timer = setTimeout(() => {
      address.value = wanted
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [wanted])
  return (
    <Section
      title="Preview"
      actions={
        <>
          <select
            class="preview-language"
            aria-label="Language of the preview"
            value={language.value}
            onChange={({ currentTarget }) => {
              language.value = currentTarget.value
            }}
          >
            {languages.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
          <fieldset class="segments" aria-label="Width of the preview">
            {screenNames.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={screen.value === name}
                onClick={() => {
                  screen.value = name
                }}
              >
                {screens[name].title}
              </button>
            ))}
          </fieldset>
        </>
      }
    >
      <Frame src={address.value} {...screens[screen.value]} />
    </Section>
  )
}

/** A frame is loaded by its address, which has no room for an image: the logo is uploaded first, and the address contains its hash. */
function useChosenLogo(merchantId: string, file: File | null): string | null {
  const hash = useSignal<string | null>(null)
  useEffect(() => {
    hash.value = null
    if (file === null) return
    let isGone = false
    const give = async (): Promise<void> => {
      const body = { logo: await readBase64(file) }
      const result = await call('POST /merchants/:merchantId/branding/preview/logo', { params: { merchantId }, body })
      // A fault of the file is reported at its field when it is saved.
      if (!isGone && result.ok) hash.value = result.value.logo
    }
    void give()
    return () => {
      isGone = true
    }
  }, [merchantId, file])
  return hash.value
}

interface FrameProps {
  readonly src: string
  readonly width: number
  readonly height: number
}

/** Rendered at its true width and scaled down if there is less room, so that the layout is the real one. */
function Frame({ src, width, height }: FrameProps): JSX.Element {
  const room = useRef<HTMLDivElement>(null)
  const share = useSignal(1)
  useEffect(() => {
    const element = room.current
    if (element === null) return
    const watcher = new ResizeObserver(() => {
      share.value = Math.min(1, element.clientWidth / width)
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [width])
  const scale = share.value
  return (
    <div ref={room} class="preview-room" style={{ height: `${height * scale}px` }}>
      <iframe
        title="Preview of the hosted page"
        class="preview"
        src={src}
        style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` }}
      />
    </div>
  )
}
