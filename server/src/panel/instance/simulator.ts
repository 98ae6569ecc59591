/** The wallet simulator of a sandbox, for users of the panel. Chapter 40 §20.3. */
import { isObject } from '#domain/json.ts'
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { findSimulatorRecipient } from '../../wallets/accounts/recipient.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

const waitMs = 10_000

/** The simulator's cards, or the faults that a token can have; passed through as the simulator names them. */
export const readSimulatorList = async (context: PanelContext, name: 'cards' | 'faults'): Promise<JsonObject> =>
  (await callSimulator(context, `/wallet/${name}`)).body

interface MintRequest {
  readonly merchantId: string
  readonly mode: Mode
  readonly wallet: Wallet
  /** The properties of the token, as the simulator names them. */
  readonly wishes: JsonObject
}

export async function mint(
  context: PanelContext,
  { merchantId, mode, wallet, wishes }: MintRequest,
): Promise<{ readonly minted: JsonObject; readonly audit: AuditNote }> {
  requireSandbox(context)
  const merchant = context.configuration.merchant(merchantId)
  const recipient =
    merchant &&
    (await findSimulatorRecipient(context.pool, { gateway: context.walletGateway }, { merchant, mode, wallet }))
  if (recipient === null)
    throw new AdminRefused('refused', {
      message: 'The wallet is not set up for testing in this mode.',
    })
  const body = { amount: '1.99', currency: 'USD', ...wishes, wallet, recipient }
  const answer = await callSimulator(context, '/wallet/tokens', body)
  if (answer.status !== 200) throw new AdminRefused('refused', { message: faultIn(answer.body) })
  const audit = { action: 'simulator.mint', subject: `wallet ${mode} ${wallet}`, merchantId, after: { ...wishes } }
  return { minted: answer.body, audit }
}

function requireSandbox({ instanceMode, sandboxUrl }: PanelContext): string {
  if (instanceMode !== 'sandbox' || sandboxUrl === null)
    throw new AdminRefused('refused', { message: 'The simulator is available only on a sandbox instance.' })
  return sandboxUrl
}

async function callSimulator(
  context: PanelContext,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const url = `${requireSandbox(context)}${path}`
  const sent = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    const reply = await fetch(url, { ...sent, signal: AbortSignal.timeout(waitMs) })
    // Passed through, because the simulator is our own program.
    return { status: reply.status, body: (await reply.json()) as JsonObject }
  } catch {
    throw new AdminRefused('refused', { message: 'The sandbox does not respond. Try again.' })
  }
}

function faultIn({ error }: JsonObject): string {
  const message = isObject(error) ? error['message'] : null
  return typeof message === 'string' ? message : 'The simulator refused the request.'
}
