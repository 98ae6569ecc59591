/** Whether the host takes the MID's line: an echo on it, after the sign-on. Moves no money. */
import type { CredentialsCheck } from '../connector.ts'
import { SignOnRefusedError } from '../lines/line.ts'
import type { OpenLine } from '../lines/lines.ts'
import type { LineProtocol } from '../lines/protocol.ts'
import { WireFault } from '../wire-fault.ts'

export async function checkLine(
  line: OpenLine,
  protocol: LineProtocol,
  sendBy: number | undefined,
): Promise<CredentialsCheck> {
  const echo = protocol.echo(line.now())
  if (!echo) return { kind: 'no-answer', text: 'The dialect has no echo, so that nothing harmless can be asked.' }
  try {
    const reply = await line.exchange(echo, { sendBy })
    if (protocol.isAccepted(reply)) return { kind: 'accepted' }
    return { kind: 'refused', field: null, text: 'The host refused the echo.' }
  } catch (fault) {
    if (!(fault instanceof WireFault)) throw fault
    if (fault.cause instanceof SignOnRefusedError)
      return {
        kind: 'refused',
        field: null,
        text: 'The host refused the sign-on. Ask the acquirer whether the line is enabled.',
      }
    return { kind: 'no-answer', text: fault.message }
  }
}
