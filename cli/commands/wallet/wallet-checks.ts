/** `wallet checks`: why a token was accepted or refused. Merchants see only an error code; support reads this. Chapter 40 §15. */
import { accept, type Reading, refuse } from '#domain/reading.ts'
import { type RefusedToken, refusedTokenStore } from '#server/store/wallets/refused-tokens.ts'
import { findWalletPayment } from '#server/store/wallets/wallet-payments.ts'
import { command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { flag, optionalArgument, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { type record, table } from '../../kit/table.ts'
import { decidingCheck, formatRecord } from '../../wallet/check-record.ts'
import { membersOf } from './wallet-record-key.ts'

const options = {
  refused: flag('Lists refused tokens, newest first; they are stored for 90 days.'),
  merchant: text('MERCHANT', 'Only tokens of this merchant.'),
  order: text('ORDER', 'Only tokens of this order.'),
  request: text('ID', 'Only the token of the request with this X-Request-Id.'),
  since: value('TIME', 'Only tokens since this time.', moment),
  limit: value('N', 'Maximum number; default 20.', readers.wholeNumber(1, 1000)),
  json: flag('Prints JSON.'),
}

export const walletChecks = command({
  name: 'wallet checks',
  summary: 'Shows which checks a wallet payment passed, or why tokens were refused.',
  details: 'Give the trans_id of a payment, or --refused. One refused token is shown in full, several as a list.',
  args: { payment: optionalArgument('TRANS_ID', readers.uuid) },
  options,
  examples: [
    'gatehouse wallet checks 01a1de13-80ea-7322-95c5-ecc465ab2ae2',
    'gatehouse wallet checks --refused --merchant demo --order ORDER-1003',
    'gatehouse wallet checks --refused --since 2026-02-03T10:00:00Z',
  ],
  async run(context, { payment }, { refused = false, json = false, ...wishes }) {
    if ((payment === null) === !refused)
      throw new UsageError('Give either a trans_id or --refused.', '"gatehouse wallet checks --help" shows both.')
    await using instance = await openInstance(context)
    const { members, text } =
      payment === null
        ? findingsOfRefused(await findRefusedTokens(instance, wishes))
        : await findPaymentChecks(instance, payment)
    if (json) printJson(context.output, members)
    else context.output.out(text)
  },
})

/** The same findings as JSON and as text. */
interface Findings {
  readonly members: object
  readonly text: string
}

async function findPaymentChecks({ pool }: Instance, id: string): Promise<Findings> {
  const found = await findWalletPayment(pool, id)
  if (!found) throw new CommandError(`There is no payment ${id}.`, 'A refused token creates no payment: use --refused.')
  const { wallet } = found
  if (!wallet)
    throw new CommandError(`Payment ${id} was not paid with a wallet.`, 'Only wallet payments have token checks.')
  const heading = [
    ['payment', id],
    ['merchant', found.merchant],
    ['order', found.orderId],
    ['status', found.status],
    ['card', found.cardMask && [found.cardMask, found.cardExpiry ?? ''].join(' ').trim()],
    ['name in the wallet', wallet.displayName],
    ['device', wallet.deviceId],
    ['processed as', wallet.flow.replace('_', ' ')],
  ] as const
  return { members: { trans_id: id, ...found }, text: formatRecord(wallet.checks, heading) }
}

interface TokenFilter {
  readonly merchant?: string
  readonly order?: string
  readonly request?: string
  readonly since?: Date
  readonly limit?: number
}

async function findRefusedTokens(
  { pool, ids }: Instance,
  { merchant, order, request, since, limit = 20 }: TokenFilter,
): Promise<readonly RefusedToken[]> {
  const merchantId = merchant === undefined ? undefined : (await requireMerchant(pool, merchant)).id
  return refusedTokenStore(pool, ids).find({
    limit,
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(order === undefined ? {} : { orderId: order }),
    ...(request === undefined ? {} : { requestId: request }),
    ...(since === undefined ? {} : { since }),
  })
}

function findingsOfRefused(tokens: readonly RefusedToken[]): Findings {
  const [only, ...others] = tokens
  const members = tokens.map(membersOf)
  if (!only) return { members, text: 'No token was refused.' }
  if (others.length === 0) return { members, text: formatRecord(only.record, headingOf(only)) }
  const headings = ['at', 'protocol', 'order', 'wallet', 'failed', 'request']
  return { members, text: table(headings, tokens.map(rowOf)) }
}

const headingOf = ({ at, protocol, mode, orderId, requestId }: RefusedToken): Parameters<typeof record>[0] => [
  ['refused', at],
  ['protocol', `${protocol}, ${mode} mode`],
  ['order', orderId],
  ['request', requestId],
]

const rowOf = ({ at, protocol, orderId, record: found, requestId }: RefusedToken) => [
  at,
  protocol,
  orderId,
  found.version === null ? found.wallet : `${found.wallet} ${found.version}`,
  decidingCheck(found),
  requestId,
]

function moment(text: string): Reading<Date> {
  const at = new Date(text)
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(at.getTime())
    ? accept(at)
    : refuse('a date or time such as 2026-02-03 or 2026-02-03T10:00:00Z')
}
