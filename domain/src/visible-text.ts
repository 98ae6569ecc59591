/**
 * Text for a reviewer, with every character visible. Control characters move the cursor of a terminal, directional ones change the
 * order of a line, and some end a line in a browser but not in an editor: each could make code look like something else. They are
 * shown as ⟨U+202E⟩.
 */

/** Does not match tabs and line ends. */
const invisibleCharacters = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115F\u1160\u3164\uFFA0]/gu

export const visibleText = (text: string): string => text.replace(invisibleCharacters, nameOf)

export const hasInvisible = (text: string): boolean => text.search(invisibleCharacters) >= 0

function nameOf(character: string): string {
  const number = character.codePointAt(0) ?? 0
  return `⟨U+${number.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
