/** The caller in the form that the rules of `panel/access/own-account.ts` take. */
import type { OwnAccount } from '../../../panel/access/own-account.ts'
import type { Caller } from './endpoint.ts'

export const ownOf = ({ user, session, visitor }: Caller): OwnAccount => ({ user, sessionId: session.id, visitor })
