/** Wallets of the demo merchants, with keys of the sandbox authority. If the sandbox does not answer there are none, which is logged. */
import { wallets } from '#domain/mid.ts'
import type { Log } from '../contracts/ports.ts'
import type { SetupContext } from '../setup/context.ts'
import { enableForTesting, SandboxUnavailable } from '../wallets/setup/enable-wallet.ts'
import { type DemoMerchant, modes } from './demo-tables.ts'

export async function createDemoWallets(
  context: SetupContext & { readonly log?: Log },
  merchants: readonly { readonly id: string; readonly demo: DemoMerchant }[],
  sandboxUrl: string,
): Promise<void> {
  const wanted = merchants.flatMap(({ id, demo }) =>
    demo.wallets === 'none'
      ? []
      : modes.flatMap((mode) =>
          wallets.map((wallet) => ({
            merchantId: id,
            name: demo.name,
            title: demo.title,
            mode,
            wallet,
            decrypts: demo.wallets !== 'virtual',
          })),
        ),
  )
  // Waits for all, so that none is still writing afterwards.
  const ended = await Promise.allSettled(wanted.map((wishes) => enableForTesting(context, wishes, sandboxUrl)))
  const faults = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const other = faults.find((fault) => !(fault instanceof SandboxUnavailable))
  if (other !== undefined) throw other
  const [silent] = faults
  if (silent === undefined) return
  const text = 'Wallets of some demo merchants were not set up because the sandbox did not answer.'
  context.log?.warn({ fault: String(silent) }, text)
}
