/** Matches a path against a pattern like `/merchants/:merchantId` and returns its parameters. */
export type Params = Readonly<Record<string, string>>

export function match(pattern: string, path: string): Params | null {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  if (wanted.length !== parts.length) return null
  const params: [string, string][] = []
  for (const [index, want] of wanted.entries()) {
    const part = decodePart(parts[index] ?? '')
    if (part === null || (want.startsWith(':') ? part === '' : want !== part)) return null
    if (want.startsWith(':')) params.push([want.slice(1), part])
  }
  return Object.fromEntries(params)
}

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
