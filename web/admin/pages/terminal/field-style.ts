/** The look of the panel's inputs for the frames of the card fields, which cannot read the panel's own styles. */
import type { FieldStyle } from '../../../sdk/hosted-fields.ts'

export function fieldStyle(): FieldStyle {
  const tokens = getComputedStyle(document.documentElement)
  const token = (name: string): string => tokens.getPropertyValue(name).trim()
  return {
    input: {
      'font-family': token('--face'),
      'font-size': token('--text'),
      color: token('--ink'),
      'background-color': token('--paper'),
      padding: '0 0.625rem',
      height: '38px',
    },
    '::placeholder': { color: token('--faint') },
    ':focus': { outline: `2px solid ${token('--accent')}`, 'outline-offset': '-2px' },
    ':invalid': { color: token('--bad') },
  }
}
