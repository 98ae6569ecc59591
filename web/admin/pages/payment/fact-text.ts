/** A value from the server as text: simple values as they are, nested ones as JSON; null if there is none. */
export function factText(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === 'string') return value ?? null
  return JSON.stringify(value)
}
