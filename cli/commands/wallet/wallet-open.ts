/** `wallet open`: shows the content of a token and which checks it fails, without an instance, to investigate a refusal. */

import { exponentOf, parseAmount } from '#domain/money/money.ts'
import { accept, type Reading, refuse } from '#domain/reading.ts'
import { systemClock } from '#server/process/clock.ts'
import type { WalletOrder } from '#server/wallets/tokens/formats/wallet-a-plaintext.ts'
import { walletOf } from '#server/wallets/tokens/token-mistake.ts'
import { command } from '../../kit/command.ts'
import { UsageError } from '../../kit/command-error.ts'
import { type CommandContext, type Output, printJson } from '../../kit/context.ts'
import { argument, flag, repeatedOption, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { record } from '../../kit/table.ts'
import { readActiveKey } from '../../wallet/active-key.ts'
import { formatRecord } from '../../wallet/check-record.ts'
import { type Opening, type OpeningTerms, openOffline } from '../../wallet/opening.ts'
import { readSourceText } from '../../wallet/source-file.ts'
import { contentFields } from '../../wallet/token-content.ts'

const wallets = ['walletapay', 'walletbpay'] as const

const options = {
  wallet: value('NAME', 'walletapay or walletbpay, if the token does not show it.', readers.oneOf(wallets)),
  root: value('FILE', 'Trust anchor: the root certificate of wallet A or the key list of wallet B.', readers.nonEmpty),
  key: repeatedOption('FILE', 'Private key to decrypt it; without one only the checks that need no key are run.'),
  merchantIdentifier: text('ID', 'Merchant identifier; required for wallet A with --key.'),
  recipient: text('NAME', 'Wallet B: recipient, for example gateway:gatehouse.'),
  gatewayMerchantId: text('ID', 'Wallet B: the merchant behind the gateway.'),
  environment: value('NAME', 'Wallet B: environment; default PRODUCTION.', readers.oneOf(['PRODUCTION', 'TEST'])),
  amount: text('AMOUNT', 'Amount of the order; without it amounts are not compared.'),
  currency: value('CODE', 'Currency of the order.', readers.currency),
  at: value('TIME', 'Time of the checks; default now.', moment),
  lifetime: value('SECONDS', 'Maximum age of a wallet A token in seconds; default 300.', readers.wholeNumber(60, 3600)),
  reveal: flag('Shows the card number and the cryptogram in full.'),
  json: flag('Prints JSON.'),
}

export const walletOpen = command({
  name: 'wallet open',
  summary: 'Runs all checks on a wallet token and shows its content; needs no instance.',
  details:
    'FILE contains the token as it was sent; - reads standard input. The first lines say what the gateway would answer and why. FILE#PATH selects a member of a JSON file, also for --key and\n' +
    '--root. The content is shown if a key decrypts it, even if checks fail. Exits with code 1 if the token is refused.',
  args: { file: argument('FILE', readers.nonEmpty) },
  options,
  examples: [
    'gatehouse wallet open token.json --root root.pem',
    'gatehouse wallet open token.json --root root.pem --key key.pem --merchant-identifier merchant.example --at 2026-02-03T10:00:00Z',
    'gatehouse wallet open tokens.json#valid --root keys.json --key key.pem --recipient gateway:gatehouse',
  ],
  async run(context, { file }, options) {
    const { reveal = false, json = false } = options
    const read = await readSourceText(file, context)
    const wallet = options.wallet ?? walletOf(read)
    if (wallet === null)
      throw new UsageError(
        'The wallet cannot be recognised from the file.',
        'Add --wallet walletapay or --wallet walletbpay.',
      )
    const opening = openOffline(read, {
      wallet,
      root: await readRoot(options.root, context),
      environment: options.environment ?? 'PRODUCTION',
      keys: await Promise.all(
        (options.key ?? []).map(async (source) => readActiveKey(await readSourceText(source, context), wallet, source)),
      ),
      merchantIdentifier: options.merchantIdentifier ?? null,
      recipient: options.recipient ?? null,
      gatewayMerchantId: options.gatewayMerchantId ?? null,
      order: orderFrom(options.amount, options.currency),
      now: options.at ?? systemClock().now(),
      lifetimeSeconds: options.lifetime ?? 300,
    } satisfies OpeningTerms)
    if (json) printOpening(context.output, opening, reveal)
    else context.output.out(formatOpening(opening, reveal))
    if (wallet === 'walletapay' && options.key !== undefined && options.merchantIdentifier === undefined)
      context.output.err('Note: the key was not used. For wallet A give --merchant-identifier with --key.')
    return opening.ok ? 0 : 1
  },
})

function moment(text: string): Reading<Date> {
  const at = new Date(text)
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(at.getTime())
    ? accept(at)
    : refuse('a time such as 2026-02-03T10:00:00Z')
}

async function readRoot(source: string | undefined, context: CommandContext): Promise<string> {
  if (source !== undefined) return readSourceText(source, context)
  throw new UsageError(
    '--root is missing.',
    'Give the root certificate of wallet A (PEM) or the key list of wallet B (JSON).',
  )
}

function orderFrom(amount: string | undefined, currency: string | undefined): WalletOrder | null {
  if (amount === undefined && currency === undefined) return null
  if (amount === undefined || currency === undefined)
    throw new UsageError(
      '--amount and --currency must be given together.',
      'Give both to compare the token with the order.',
    )
  const parsed = parseAmount(amount, currency)
  if (typeof parsed === 'string')
    throw new UsageError(
      `--amount is not an amount in ${currency}.`,
      `${currency} has ${exponentOf(currency)} decimal places.`,
    )
  return { currency, amountMinor: parsed.minor }
}

function formatOpening({ ok, answer, record: found, content }: Opening, reveal: boolean): string {
  const title = ok ? 'Content:' : 'Content (the token is refused):'
  return [
    formatRecord(found, [
      ['verdict', ok ? 'genuine' : 'refused'],
      ['answer', answer === null ? 'accepted, unless it was used before' : `${answer.code} ${answer.message}`],
      ...(ok ? [] : [['reason', reasonOf(found)] as const]),
    ]),
    ...(content === null ? [] : [`${title}\n${record(contentFields(content, reveal))}`]),
  ].join('\n\n')
}

/** The check that decided, with its detail: `A11 time: signed 400 s ago`. */
function reasonOf({ checks }: Opening['record']): string {
  const failed = checks.find(({ result }) => result === 'failed')
  return failed === undefined ? '' : `${failed.id} ${failed.name}: ${failed.detail ?? 'failed'}`
}

function printOpening(output: Output, { ok, answer, record: found, content }: Opening, reveal: boolean): void {
  const fields = content === null ? null : Object.fromEntries(contentFields(content, reveal))
  printJson(output, { genuine: ok, answer, ...(ok ? {} : { reason: reasonOf(found) }), ...found, content: fields })
}
