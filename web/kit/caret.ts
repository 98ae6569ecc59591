/** The caret position after an input was reformatted: behind the same number of digits. */
export function caretAfter(text: string, digitsBefore: number): number {
  if (digitsBefore === 0) return 0
  let seen = 0
  for (let at = 0; at < text.length; at += 1) {
    if (/[0-9]/.test(text.charAt(at))) seen += 1
    if (seen === digitsBefore) return at + 1
  }
  return text.length
}
