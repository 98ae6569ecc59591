/** The merchant's colours. Contrast was checked when they were saved, against the letters that are chosen here. Chapter 30 §7.1. */
import type { BrandingView } from './page-api.ts'

export function wearBranding({ heading, background, button }: BrandingView): void {
  const root = document.documentElement.style
  const put = (name: string, colour: string | null): void => {
    if (colour !== null && isColour(colour)) root.setProperty(name, colour)
  }
  put('--heading', heading)
  put('--ground', background)
  if (background !== null && isColour(background)) root.setProperty('--on-ground', lettersOn(background))
  if (button === null || !isColour(button)) return
  root.setProperty('--accent-fill', button)
  root.setProperty('--on-accent', lettersOn(button))
}

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** Black or white, whichever is easier to read. */
export function lettersOn(colour: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  // Where the contrast to black and to white is the same.
  return luminance > 0.179 ? '#000000' : '#ffffff'
}
