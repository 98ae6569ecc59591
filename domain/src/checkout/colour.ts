/** Colours as `#rrggbb`, and the contrast between two of them. WCAG 2.2, 1.4.3. */

/** Chapter 30 §7.1. */
export const leastContrast = 4.5

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** From 1, the same colour, to 21, black on white. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white, whichever is easier to read. On any colour one of the two has a contrast above 4.58. */
export function chooseTextColour(colour: string): '#000000' | '#ffffff' {
  return contrast(colour, '#000000') > contrast(colour, '#ffffff') ? '#000000' : '#ffffff'
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
