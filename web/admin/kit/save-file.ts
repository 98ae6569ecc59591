/** Lets the browser save a file that the API returned. A PDF is in base64, other files are text. */
export function saveFile({ name, content }: { readonly name: string; readonly content: string }, type: string): void {
  const link = document.createElement('a')
  link.href =
    type === 'application/pdf' ? `data:${type};base64,${content}` : `data:${type},${encodeURIComponent(content)}`
  link.download = name
  link.click()
}
