/** Focuses an element after the page has been rendered. */
export function focusOn(id: string): void {
  requestAnimationFrame(() => {
    const element = document.getElementById(id)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'center' })
  })
}
