/** Keeps a trial from charging real cards by mistake. */
import { CommandError } from '../kit/command-error.ts'

interface TrialMoney {
  readonly instanceMode: 'live' | 'sandbox'
  readonly mode: 'live' | 'test'
  readonly addresses: readonly string[]
  readonly isLiveAllowed: boolean
  readonly maxAmountMinor: bigint | null
  readonly hasOwnCards: boolean
}

/** Throws if the trial would move real money and the operator has not said so, with a limit. */
export function refuseRealMoney(money: TrialMoney): void {
  const { instanceMode, mode, addresses, isLiveAllowed, maxAmountMinor, hasOwnCards } = money
  if (mode === 'test' || (instanceMode === 'sandbox' && addresses.every(isThisMachine))) return
  if (!isLiveAllowed || maxAmountMinor === null)
    throw new CommandError(
      'This MID is in live mode: the trial would charge a real card.',
      'Use a MID in test mode, or give --live, --max-amount and --cards. Nothing was sent.',
    )
  if (!hasOwnCards)
    throw new CommandError(
      'The acquirer declines its test cards in live mode.',
      'Give a card of your own with --cards @FILE. Nothing was sent.',
    )
}

/** A stand-in. On a live instance an address of this machine may be a tunnel to the acquirer. */
const isThisMachine = (address: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]', '::1'].includes(URL.parse(address)?.hostname ?? '')
