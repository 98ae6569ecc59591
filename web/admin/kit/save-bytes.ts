/** Lets the browser save bytes that the API returned in base64. Not by a data address, which browsers limit to a few megabytes. */
export function saveBytes({ name, content }: { readonly name: string; readonly content: string }, type: string): void {
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
