/** A caller as the rules of one's own account see it. */
import type { OwnAccount } from '../../../panel/access/own-account.ts'
import type { Caller } from './endpoint.ts'

export const ownOf = ({ user, session, visitor }: Caller): OwnAccount => ({ user, sessionId: session.id, visitor })
