export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly subject: string
  readonly text: string
  readonly remedy: string | null
}

export const ok = (subject: string, text: string): Finding => ({ level: 'ok', subject, text, remedy: null })

export const warning = (subject: string, text: string, remedy: string): Finding => ({
  level: 'warning',
  subject,
  text,
  remedy,
})

export const problem = (subject: string, text: string, remedy: string): Finding => ({
  level: 'problem',
  subject,
  text,
  remedy,
})

/** An error that carries a remedy becomes a problem; any other is a bug and is thrown on. */
export function problemOf(subject: string, error: unknown): Finding {
  if (error instanceof Error && 'remedy' in error) return problem(subject, error.message, String(error.remedy))
  throw error
}
