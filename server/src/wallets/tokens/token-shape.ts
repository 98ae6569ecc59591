/** Whether a text has the shape of a wallet token (Chapter 40 §11.2 A1, §12.2 B1); needs neither settings nor a clock. */
import type { Wallet } from '#domain/mid.ts'
import { CheckFailed } from './check-sheet.ts'
import { readTexts } from './formats/wallet-a-structure.ts'
import { readToken } from './formats/wallet-b-structure.ts'

export function hasTokenShape(wallet: Wallet, text: string): boolean {
  try {
    readers[wallet](text)
    return true
  } catch (error) {
    if (error instanceof CheckFailed) return false
    throw error
  }
}

const readers: Readonly<Record<Wallet, (text: string) => unknown>> = { walletapay: readTexts, walletbpay: readToken }
