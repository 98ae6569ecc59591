/** The work of the helper process for the gateway. */
import type { BuiltRequest, PrismCall, PrismReply, PrismResult } from './protocol.ts'

/** The helper did not answer. What that means for a payment is the caller's to say, who knows whether something was sent. */
export class HelperFault extends Error {
  override readonly name = 'HelperFault'
  /** It died over this request or beside it, and a new one is started: asked again, that one may answer. */
  readonly hasEnded: boolean

  constructor(message: string, { hasEnded = false }: { readonly hasEnded?: boolean } = {}) {
    super(message)
    this.hasEnded = hasEnded
  }
}

/** Building and reading move nothing, so that a helper that died, perhaps over another request, costs no payment. */
export async function askTwice<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (fault) {
    if (fault instanceof HelperFault && fault.hasEnded) return ask()
    throw fault
  }
}

export interface HelperHello {
  readonly version: string
  /** The version of the C library under which it runs; null elsewhere. */
  readonly glibc: string | null
  /** The memory with the package loaded. */
  readonly residentBytes: number
}

export interface Transformer {
  /** Throws `HelperFault` and nothing else, like `read` and `readEvent`. */
  build(call: PrismCall): Promise<PrismResult<BuiltRequest>>
  read(call: PrismCall, reply: PrismReply): Promise<PrismResult<unknown>>
  readEvent(call: Omit<PrismCall, 'flow'>): Promise<PrismResult<unknown>>
  /** What the helper said when it started. Starts it if it does not run. */
  greet(): Promise<HelperHello>
  close(): void
}

const rejectAbsent = async (): Promise<never> => {
  throw new HelperFault('The package for this acquirer is not installed: run "gatehouse connectors add prism".')
}

/** Of an instance that has not installed the package. */
export const noTransformer: Transformer = {
  build: rejectAbsent,
  read: rejectAbsent,
  readEvent: rejectAbsent,
  greet: rejectAbsent,
  close: () => undefined,
}
