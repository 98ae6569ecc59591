/** Proofs that were made elsewhere: our own 3-D Secure, or the cryptogram of a wallet. Without one Adyen authenticates by itself. */
import type { Order } from '../connector.ts'

export function threeDsOf({ threeDs, wallet, returnUrl, moto }: Order) {
  if (threeDs) {
    const { eci, authenticationValue, dsTransId, version, transStatus, xid } = threeDs
    const status = statusOf(transStatus, eci)
    return {
      mpiData: {
        authenticationResponse: status,
        directoryResponse: status,
        cavv: authenticationValue.reveal(),
        eci,
        dsTransID: dsTransId,
        threeDSVersion: version,
        ...(xid && { xid }),
      },
    }
  }
  const { decrypted } = wallet ?? {}
  if (decrypted?.cryptogram) {
    return {
      mpiData: {
        authenticationResponse: 'Y' as const,
        directoryResponse: 'Y' as const,
        tokenAuthenticationVerificationValue: decrypted.cryptogram.reveal(),
        ...(decrypted.eci && { eci: decrypted.eci }),
      },
    }
  }
  // Adyen must not ask for a page that no browser can be sent to.
  return returnUrl === null && !moto ? { authenticationData: { attemptAuthentication: 'never' as const } } : {}
}

/** Where the merchant did not say how the authentication ended, its indicator does: 01 and 06 mean that it was only attempted. */
function statusOf(transStatus: string | null, eci: string): 'Y' | 'N' | 'U' | 'A' {
  const known = (['Y', 'N', 'U', 'A'] as const).find((status) => status === transStatus)
  return known ?? (/^0?[16]$/.test(eci) ? 'A' : 'Y')
}
