/**
 * Text that a reviewer judges by reading it, with every character visible. Control characters move the cursor of a terminal,
 * directional ones change the order in which lines are read, and some count as the end of a line for a browser and not for an editor:
 * each would let code look like something else. They are shown as ⟨U+202E⟩.
 */

/** Tab and line ends stay what they are. */
const unseen = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115F\u1160\u3164\uFFA0]/gu

export const visibleText = (text: string): string => text.replace(unseen, nameOf)

export const hasUnseen = (text: string): boolean => text.search(unseen) >= 0

function nameOf(character: string): string {
  const number = character.codePointAt(0) ?? 0
  return `⟨U+${number.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
