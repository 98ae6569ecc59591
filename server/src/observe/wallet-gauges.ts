/** Gauges about wallets. Chapter 40 §6. */
import { Gauge, type Registry } from 'prom-client'
import type { LastKnown } from './last-known.ts'

export interface WalletAlertSample {
  readonly kind: string
  readonly count: number
}

export interface CertificateSample {
  readonly wallet: string
  readonly role: string
  readonly daysLeft: number
}

/** Chapter 40 §6. The alert names the merchant: a label per merchant would grow without bound. */
export function certificateGauge(registry: Registry, figure: LastKnown<readonly CertificateSample[]>): void {
  new Gauge({
    name: 'gatehouse_wallet_certificate_days_left',
    help: 'Days until the next wallet certificate expires; negative after its expiry.',
    labelNames: ['wallet', 'role'],
    registers: [registry],
    async collect() {
      const samples = (await figure.read()) ?? []
      this.reset()
      for (const { wallet, role, daysLeft } of samples) this.set({ wallet, role }, daysLeft)
    },
  })
}

/** Chapter 40 §6. The metric keeps its old name: operators' dashboards query it. */
export function walletAlertGauge(registry: Registry, figure: LastKnown<readonly WalletAlertSample[]>): void {
  new Gauge({
    name: 'gatehouse_wallet_alarms',
    help: 'Open wallet alerts that are not muted.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const samples = (await figure.read()) ?? []
      this.reset()
      for (const { kind, count } of samples) this.set({ kind }, count)
    },
  })
}
