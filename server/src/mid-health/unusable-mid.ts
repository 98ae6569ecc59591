/** The alert about a MID whose stored credentials do not fit its connector. Every process that uses the MID finds it. */
import type { Alerts } from '../contracts/ports.ts'
import type { ValueFault } from '../contracts/value-faults.ts'

export function unusableMidAlert(mid: string, { path, text }: ValueFault): Parameters<Alerts['raise']>[0] {
  const fault = path === '' ? text : `${path}: ${text}`
  return {
    kind: 'mid-unusable',
    merchantId: null,
    paymentId: null,
    text: `No request is sent to MID ${mid}, because its stored credentials do not fit the connector. ${fault}`,
    once: true,
  }
}
