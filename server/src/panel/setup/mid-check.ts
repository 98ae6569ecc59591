/** Asks the acquirer of a MID whether its credentials are right. */
import { type CredentialsResult, checkCredentials } from '../../connectors/exchange.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { midAudit, requireMid } from './mids.ts'

interface ShownCheck {
  readonly kind: CredentialsResult['kind']
  /** The name of the wrong credential, if the acquirer tells which it is. */
  readonly field: string | null
  readonly text: string
}

export async function checkMid(
  context: Pick<PanelContext, 'pool' | 'acquirers'>,
  midId: string,
): Promise<{ readonly shown: ShownCheck; readonly audit: AuditNote }> {
  const { id } = await requireMid(context, midId)
  const { account } = await context.acquirers.find(id)
  const shown = describeCheck(await checkCredentials(account))
  return { shown, audit: { ...midAudit('mid.check', id), after: { kind: shown.kind, field: shown.field } } }
}

/** In the words that panel and command line show. */
export function describeCheck(result: CredentialsResult): ShownCheck {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'accepted', field: null, text: 'The acquirer accepts the credentials.' }
    case 'refused':
      return { kind: 'refused', field: result.field, text: result.text }
    case 'no-answer':
      return { kind: 'no-answer', field: null, text: `The credentials could not be checked. ${result.text}` }
    case 'not-offered':
      return { kind: 'not-offered', field: null, text: 'This acquirer offers no check of credentials.' }
  }
}
