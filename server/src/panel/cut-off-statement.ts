/** Statements of the panel have a time limit, so that a slow search cannot hold the database. */
import { DatabaseError } from 'pg'

const cancelled = '57014'

export const isCutOff = (error: unknown): boolean => error instanceof DatabaseError && error.code === cancelled
