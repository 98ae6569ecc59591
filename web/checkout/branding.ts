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
  const text = chooseTextColour(button)
  root.setProperty('--on-accent', text)
  // A button darkens under the pointer, unless its dark text would become unreadable: then it becomes lighter.
  if (text === '#000000' && contrast(button, text) < darkenableContrast) root.setProperty('--hover-shade', '#fff')
  for (const [light, paper] of Object.entries(backgrounds))
    if (contrast(button, paper) < leastEdgeContrast) root.setProperty(`--button-edge-${light}`, 'var(--edge)')
}

/** The background behind a button, as in the stylesheet. A button of a similar colour gets the border of other controls. */
const backgrounds = { light: '#ffffff', dark: '#181c23' }

/** With this contrast, dark text stays above 4.5:1 on the darker shade. */
const darkenableContrast = 6

/** WCAG 2.2, 1.4.11. */
const leastEdgeContrast = 3
