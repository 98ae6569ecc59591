/** Moves the keyboard to an element, once the page has been drawn with it. */
export function focusOn(id: string): void {
  requestAnimationFrame(() => {
    const element = document.getElementById(id)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'center' })
  })
}
