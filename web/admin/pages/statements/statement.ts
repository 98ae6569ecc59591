import type { Answer } from '../../api/call.ts'

export type Statement = Answer<'GET /statements'>['statements'][number]

type Balance = Pick<Statement, 'openingMinor' | 'salesMinor' | 'closingMinor'>

/** All but the sales, with its sign, so that opening balance, sales and this are the closing balance. */
export const otherMovements = ({ openingMinor, salesMinor, closingMinor }: Balance): string =>
  String(BigInt(closingMinor) - BigInt(openingMinor) - BigInt(salesMinor))
