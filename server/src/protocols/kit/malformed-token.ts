/**
 * Records a wallet token without its shape, if nothing else is wrong with the request. The shape is checked with the other parameters, before
 * the hash; the record is made only for a request whose hash is valid, so that a caller without the password cannot fill the log. The answer
 * stays that of the parameters. Chapter 40 §15.
 */
import { RefusedError } from '../../contracts/refused-error.ts'
import { isSigned, ticketOf } from './admission.ts'
import type { Dialect, Kit } from './dialect.ts'
import type { BaseCaller, RequestKind } from './prepared.ts'
import { readParams } from './values/params.ts'
import type { ReadingContext } from './values/reading.ts'
import { sentIn } from './values/sent.ts'

interface RefusedRequest<Caller extends BaseCaller, Signed> {
  readonly kit: Kit
  readonly dialect: Dialect<Caller, Signed>
  readonly action: RequestKind<Caller, Signed>
}

export async function noteMalformedToken<Caller extends BaseCaller, Signed>(
  { kit, dialect, action }: RefusedRequest<Caller, Signed>,
  caller: Caller,
  reading: ReadingContext,
): Promise<void> {
  const read = readParams(action.params, reading.tree, { ...reading, checksTokens: false })
  if (!read.ok) return
  try {
    await kit.gate.pass(ticketOf(caller, action.params), async () => {
      const prepared = await action.prepare(read.value, caller)
      const token = prepared.kind === 'unknown' ? null : prepared.token()
      if (prepared.kind === 'unknown' || token === null) return
      if (!(await isSigned({ kit, dialect }, caller, prepared.signed, sentIn(reading.tree, 'hash')))) return
      const { merchant, mode, requestId, mapping } = caller
      const { protocol } = mapping
      await kit.operations.recordMalformedToken({ merchant, mode, protocol, requestId, ...token })
    })
  } catch (error) {
    // A gateway without capacity makes no record; the request is refused for its parameter all the same.
    if (!(error instanceof RefusedError)) throw error
  }
}
