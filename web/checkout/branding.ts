/** The merchant's colours. Their contrast was checked when they were saved. Chapter 30 §7.1. */
import { chooseTextColour, contrast, isColour } from '#domain/checkout/colour.ts'
import type { BrandingView } from './page-api.ts'

export function applyBranding({ heading, background, button }: BrandingView): void {
  const root = document.documentElement.style
  const put = (name: string, colour: string | null): void => {
    if (colour !== null && isColour(colour)) root.setProperty(name, colour)
  }
  put('--heading', heading)
  put('--page', background)
  if (background !== null && isColour(background)) root.setProperty('--on-page', chooseTextColour(background))
  if (button === null || !isColour(button)) return
  root.setProperty('--accent-fill', button)
  root.setProperty('--on-accent', chooseTextColour(button))
  for (const [light, paper] of Object.entries(backgrounds))
    if (contrast(button, paper) < leastEdgeContrast) root.setProperty(`--button-edge-${light}`, 'var(--edge)')
}

/** The background behind a button, as in the stylesheet. A button of a similar colour gets the border of other controls. */
const backgrounds = { light: '#ffffff', dark: '#181c23' }

/** WCAG 2.2, 1.4.11. */
const leastEdgeContrast = 3
