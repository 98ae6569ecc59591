/** `connector try`: the acquirer's own test cards through every operation of a MID. Chapter 60 §4. */
import { formatAmount, parseAmount } from '#domain/money/money.ts'
import { openAcquirer } from '#server/assembly/open-acquirer.ts'
import type { RegisteredConnector } from '#server/connectors/connector.ts'
import type { TestCards } from '#server/contracts/test-cards.ts'
import { midAudit } from '#server/panel/setup/mids.ts'
import { release } from '#server/process/release.ts'
import type { MidRow } from '#server/store/configuration/mids.ts'
import { readCards } from '../../connector-try/own-cards.ts'
import { openPayerPage } from '../../connector-try/payer-page.ts'
import { Trial } from '../../connector-try/trial.ts'
import { refuseRealMoney } from '../../connector-try/trial-limits.ts'
import { summaryOf, toMarkdown } from '../../connector-try/trial-protocol.ts'
import type { TrialStep } from '../../connector-try/trial-terms.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMid } from '../../kit/named.ts'
import { argument, flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { openCredentials } from '../../kit/stored-credentials.ts'
import { requireConnector } from './mid-credentials.ts'

const usualAmount = '10'
const pauseMs = 1_000
const usualWaitSeconds = 300

const options = {
  currency: value('CODE', 'Currency; default: the first of the MID, else EUR.', readers.currency),
  maxAmount: value('N', 'Largest amount of a charge in minor units; default 10.00.', readers.minorUnits),
  cards: value(
    '@FILE',
    'Cards in place of the connector’s test cards, as JSON; @- reads standard input.',
    readers.nonEmpty,
  ),
  skip3ds: { ...flag('Skips 3-D Secure, which needs a browser.'), flag: 'skip-3ds' },
  port: value(
    'N',
    'Port on this machine to which the browser returns; default: any free one.',
    readers.wholeNumber(1, 65_535),
  ),
  wait: value('SECONDS', 'How long to wait for the browser; default 300.', readers.wholeNumber(1, 3_600)),
  live: flag('Allows a MID in live mode, with --max-amount and --cards: real money moves.'),
  json: flag('Prints JSON.'),
}

export const connectorCommands: readonly Command[] = [
  command({
    name: 'connector try',
    changes: true,
    summary: 'Pays with the acquirer’s test cards over a MID and prints a log of every step.',
    details:
      'Sale, authorisation, capture, refunds, release, void, 3-D Secure, decline and a merchant-initiated charge. A charge is refunded or\n' +
      'released where its step passed; check the rest at the acquirer. For 3-D Secure it prints an address to open in a browser on this machine. Nothing becomes a payment of a merchant.\n' +
      'Exit code 1 if a step fails.',
    args: { mid: argument('MID', readers.nonEmpty) },
    options,
    examples: ['gatehouse connector try adyen-test', 'gatehouse connector try adyen-test --skip-3ds --json'],
    async run(context, { mid: name }, wishes) {
      const { maxAmount, cards: source, live = false, json = false, skip3ds = false } = wishes
      const { output, signal } = context
      await using instance = await openInstance(context)
      const mid = await requireMid(instance.pool, name)
      const connector = requireConnector(mid.connector)
      const addresses = await readAddresses(instance, connector, mid)
      const own = source === undefined ? null : await readCards(source, context)
      refuseRealMoney({
        instanceMode: instance.config.instanceMode,
        mode: mid.mode,
        addresses,
        isLiveAllowed: live,
        maxAmountMinor: maxAmount ?? null,
        hasOwnCards: own !== null,
      })
      const cards = own ?? requireCards(connector)
      const currency = wishes.currency ?? mid.currencies[0] ?? 'EUR'
      const amountMinor = amountOf(currency, maxAmount)
      const after = { currency, amount: formatAmount(amountMinor, currency), live }
      const at = instance.clock.now()
      const steps = await instance.changeInSteps({ ...midAudit('connector.try', mid.id), after }, async (pool) => {
        await using opened = await openAcquirer({ ...instance, pool }, mid)
        await using page = await openPayerPage({
          port: wishes.port ?? 0,
          waitMs: (wishes.wait ?? usualWaitSeconds) * 1000,
          signal,
          announce: (address) => output.err(`Open in a browser on this machine: ${address}`),
        })
        const { acquirer } = opened
        return await new Trial({
          acquirer,
          mode: mid.mode,
          descriptor: mid.descriptor,
          cards,
          amountMinor,
          maxAmountMinor: maxAmount ?? null,
          currency,
          clock: instance.clock,
          ids: instance.ids,
          payer: skip3ds ? null : page,
          pauseMs,
          onStep: (step) => output.err(progressOf(step)),
        }).run()
      })
      const head = { mid: name, connector: connector.title, mode: mid.mode, addresses, at, release }
      if (json) printJson(output, { ...head, summary: summaryOf(steps), steps })
      else output.out(toMarkdown(head, steps))
      return steps.some(({ result }) => result === 'fail') ? 1 : 0
    },
  }),
]

const progressOf = ({ step, result, outcome }: TrialStep): string => `${result.padEnd(7)} ${step}: ${outcome}`

async function readAddresses(
  instance: Instance,
  connector: RegisteredConnector,
  mid: MidRow,
): Promise<readonly string[]> {
  const { entered } = await openCredentials(instance, mid, connector.credentials)
  return connector.addresses(entered, mid.mode)
}

function requireCards({ testCards, id }: RegisteredConnector): TestCards {
  if (testCards !== null) return testCards
  throw new CommandError(`The connector "${id}" has no test cards.`, 'Give some with --cards @FILE. Nothing was sent.')
}

function amountOf(currency: string, limit: bigint | undefined): bigint {
  const parsed = parseAmount(usualAmount, currency)
  if (typeof parsed === 'string') throw new Error(`The currency ${currency} has no amount ${usualAmount}.`)
  return limit !== undefined && limit < parsed.minor ? limit : parsed.minor
}
