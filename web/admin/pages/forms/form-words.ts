/** The figures of a form as text. */

/** `'unsafe-hashes'` is a keyword of the policy beside the hashes, not a script. */
const hashesAmong = (sources: readonly string[]): number => sources.filter((one) => one.startsWith("'sha")).length

export function policyText({
  scripts,
  styles,
}: {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}): string {
  const [scriptCount, styleCount] = [hashesAmong(scripts), hashesAmong(styles)]
  if (scriptCount + styleCount === 0)
    return 'The template can be approved. It contains no inline scripts or styles. Scripts and styles in the files below run as shown.'
  const parts = [
    countText(scriptCount, 'script or handler', 'scripts and handlers'),
    countText(styleCount, 'style', 'styles'),
  ]
  const contents = parts.filter((part) => part !== null).join(' and ')
  return `The template can be approved. Its ${contents} will be allowed by hash, together with those in its files.`
}

function countText(count: number, one: string, many: string): string | null {
  if (count === 0) return null
  return `${count} ${count === 1 ? one : many}`
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return `${(bytes / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} KiB`
}
