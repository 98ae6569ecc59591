import { z } from 'zod'

/** True for answers and stored values that do not have the expected form: what libraries say about them is for programmers. */
export const isUnreadable = (error: unknown): boolean => error instanceof z.ZodError || error instanceof SyntaxError
