/** Trust anchors for tokens, read from a file of the operator: those of a wallet provider or of a sandbox authority. */
import { createHash } from 'node:crypto'
import {
  loadWalletATrust,
  loadWalletBTrust,
  TrustError,
  type TrustSource,
  type WalletATrust,
  type WalletBEnvironment,
  type WalletBTrust,
} from '#server/wallets/tokens/trust.ts'
import { CommandError } from '../kit/command-error.ts'

export function readWalletATrust(pem: string): WalletATrust {
  const sha256 = createHash('sha256').update(pem).digest('hex')
  return loadFromEither((source) => loadWalletATrust({ instanceMode: 'sandbox', source, pem, sha256 }))
}

export function readWalletBTrust(json: string, environment: WalletBEnvironment): WalletBTrust {
  const shippedFingerprints = new Set<string>()
  return loadFromEither((source) =>
    loadWalletBTrust({ instanceMode: 'sandbox', source, environment, json, shippedFingerprints }),
  )
}

/** Marks in the file tell which of the two it is (Chapter 40 §14); if it is neither, the error is the one for a wallet provider. */
function loadFromEither<T>(load: (source: TrustSource) => T): T {
  try {
    return load('wallet maker')
  } catch (fault) {
    if (!(fault instanceof TrustError)) throw fault
    try {
      return load('sandbox authority')
    } catch (again) {
      if (!(again instanceof TrustError)) throw again
      const remedy = 'Give the root certificate (PEM) of wallet A, or the key list (JSON) of wallet B, with --root.'
      throw new CommandError(fault.message, remedy)
    }
  }
}
