/** The wallets of a form: which of them work here, and where their buttons are. Chapter 30 §9.2, §9.3. */
import { loadScript } from '../checkout/methods/load-script.ts'
import { walletSimulator } from '../checkout/methods/simulator.ts'
import type { MethodView, SessionView, WalletView } from '../checkout/page-api.ts'
import type { WalletButtonOptions, WalletCode } from './pay-session-types.ts'
import { canPayWithA, payWithA } from './wallet-a.ts'
import { buttonOfB, canPayWithB } from './wallet-b.ts'
import type { WalletSession } from './wallet-session.ts'

/** The second name of each is used by existing forms. */
const containers: Readonly<Record<WalletCode, readonly string[]>> = {
  walletapay: ['walletapay-container', 'applepay-container'],
  walletbpay: ['walletbpay-container', 'googlepay-container'],
}

export interface Wallets {
  /** In the order of the method list. */
  readonly available: readonly WalletCode[]
  /** False if wallet A cannot be opened here. */
  openA(): boolean
  drawB(options: WalletButtonOptions): void
}

/** Hides the buttons until the wallets are known to work. */
export function hideWallets(): void {
  for (const code of ['walletapay', 'walletbpay'] as const) show(code, false)
}

export async function openWallets(session: WalletSession, base: string): Promise<Wallets> {
  const found = await Promise.all(walletsIn(session.view).map((one) => findUsable(session.view, one, base)))
  const available = found.flatMap((code) => code ?? [])
  for (const code of available) show(code, true)
  return {
    available,
    openA: () => available.includes('walletapay') && payWithA(session),
    drawB: (options) => {
      const container = containerOf('walletbpay')
      const button = available.includes('walletbpay') ? buttonOfB(session, options) : null
      if (container && button) container.replaceChildren(button)
    },
  }
}

interface OfferedWallet {
  readonly code: WalletCode
  readonly method: MethodView
}

function walletsIn({ methods, operation }: SessionView): readonly OfferedWallet[] {
  if (operation !== 'purchase') return []
  return methods.flatMap((method) => {
    const { code, wallet } = method
    return wallet && (code === 'walletapay' || code === 'walletbpay') ? [{ code, method }] : []
  })
}

async function findUsable(
  view: SessionView,
  { code, method }: OfferedWallet,
  base: string,
): Promise<WalletCode | null> {
  const { wallet } = method
  if (wallet === null) return null
  await prepareWallet(code, wallet, base)
  const works = await (code === 'walletapay' ? canPayWithA(wallet) : canPayWithB(view, method))
  return works ? code : null
}

/**
 * Wallet B needs its provider's script. Wallet A's provider has a script only for scan codes, which the SDK does not support; for wallet A
 * only the sandbox's replacement of the browser API is loaded. Chapter 40 §20.5.
 */
async function prepareWallet(code: WalletCode, wallet: WalletView, base: string): Promise<void> {
  const { script, script_integrity: integrity, merchant_public_id: merchantKey } = wallet
  if (script === null) return
  const named = new URL(script, base || location.href)
  const isStandIn = named.pathname.startsWith('/simulator/')
  // The replacement is the service's own: on the service's pages it comes from the host that the payer uses.
  const address = isStandIn && base === '' ? new URL(named.pathname, location.href) : named
  const isThere =
    code === 'walletapay' ? !isStandIn || Reflect.has(window, 'ApplePaySession') : Reflect.has(window, 'google')
  if (!isThere) await loadScript(address.href, integrity)
  if (isStandIn) walletSimulator()?.configure({ merchantKey })
}

function show(code: WalletCode, shown: boolean): void {
  const container = containerOf(code)
  if (container === null) return
  container.hidden = !shown
  container.style.display = shown ? '' : 'none'
}

function containerOf(code: WalletCode): HTMLElement | null {
  return containers[code].map((id) => document.getElementById(id)).find((element) => element !== null) ?? null
}
