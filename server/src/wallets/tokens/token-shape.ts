/** Whether a text has the shape of a wallet token (Chapter 40 §11.2 A1, §12.2 B1); needs neither settings nor a clock. */
import type { Wallet } from '#domain/mid.ts'
import { CheckFailed, type CheckRow, type CheckTable } from './check-sheet.ts'
import { walletAChecks } from './formats/wallet-a.ts'
import { readTexts } from './formats/wallet-a-structure.ts'
import { walletBChecks } from './formats/wallet-b.ts'
import { readToken } from './formats/wallet-b-structure.ts'
import type { CheckRecord } from './opened-token.ts'
import { tokenMistake } from './token-mistake.ts'
import type { TrustSource } from './trust.ts'

export const hasTokenShape = (wallet: Wallet, text: string): boolean => shapeFault(wallet, text) === null

/** Explains what is wrong with the shape, with the sender's mistake if it is a usual one; null if nothing is. */
export function explainShape(wallet: Wallet, text: string): string | null {
  const fault = shapeFault(wallet, text)
  const mistake = fault === null ? null : tokenMistake(wallet, text)
  return mistake === null ? fault : `${fault}: ${mistake.text}`
}

/** The record of a token without its shape, for support: the first check failed, no other was reached. Chapter 40 §15. */
export function malformedRecord(wallet: Wallet, text: string, source: TrustSource): CheckRecord {
  const detail = explainShape(wallet, text)
  const checks = Object.entries<CheckTable[string]>(tables[wallet]).map(
    ([id, [name, refusal]]): CheckRow =>
      refusal === 'malformed'
        ? { id, name, result: 'failed', detail }
        : { id, name, result: 'not reached', detail: null },
  )
  return {
    wallet,
    version: null,
    flow: 'virtual',
    flowReason: 'not decided, the token is malformed',
    trust: { rootFingerprint: null, source, environment: null },
    checks,
    panType: null,
    numberKind: null,
    network: null,
  }
}

const tables: Readonly<Record<Wallet, CheckTable>> = { walletapay: walletAChecks, walletbpay: walletBChecks }
const readers: Readonly<Record<Wallet, (text: string) => unknown>> = { walletapay: readTexts, walletbpay: readToken }

function shapeFault(wallet: Wallet, text: string): string | null {
  try {
    readers[wallet](text)
    return null
  } catch (error) {
    if (error instanceof CheckFailed) return error.message
    throw error
  }
}
