/** What the server tells as it is, as text: words as they are, what is deeper as it was written; null where there is nothing. */
export function factText(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === 'string') return value ?? null
  return JSON.stringify(value)
}
