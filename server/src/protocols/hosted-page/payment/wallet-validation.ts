/** POST /page/v1/wallet-session: the wallet provider's session object for the page's own host, unchanged. Chapter 40 §16. */

import { errors, type Violation, violations } from '#domain/errors.ts'
import { invalid, RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { ValueTree } from '../../kit/bodies/value-tree.ts'
import { textIn } from '../../kit/values/sent.ts'
import type { PageAddress } from '../page-address.ts'
import type { HostedPageParts } from '../parts.ts'
import { admitAttempt } from './page-payment.ts'

/** The text of the wallet provider's object. */
export async function validateWallet(
  { walletSessions, operations }: Pick<HostedPageParts, 'walletSessions' | 'operations'>,
  context: SessionContext,
  body: ValueTree,
  { host, opaque }: PageAddress,
): Promise<string> {
  const { session, merchant } = context
  const wallet = textIn(body, 'wallet')
  const faults: readonly Violation[] =
    wallet === 'walletapay' ? [] : [{ param: 'wallet', text: wallet ? violations.notChoice : violations.blank }]
  if (faults.length > 0) throw invalid(...faults)
  admitAttempt(context)
  const { methods } = await operations.sessions.offer(merchant, session)
  if (opaque || !methods.some(({ code }) => code === wallet)) throw new RefusedError(errors.walletNotSupported)
  const answer = await walletSessions.open({
    merchantId: merchant.id,
    mode: session.mode,
    domain: host === '127.0.0.1' || host === '[::1]' ? 'localhost' : host,
    validationUrl: textIn(body, 'validation_url') ?? null,
  })
  if (answer.ok) return answer.session
  throw new RefusedError(
    answer.because === 'not available' ? errors.walletSessionUnavailable : errors.walletNotSupported,
  )
}
