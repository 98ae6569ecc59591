/** Explains why a wallet's button is missing and why its tokens are refused. Chapter 40 §7. */
import { capabilitiesOf, connectorById } from '#server/connectors/registry.ts'
import type { RecordedMissing } from '#server/store/wallets/missing-buttons.ts'
import { browserKinds } from '#server/wallets/accounts/explanation.ts'
import { explainWallet } from '#server/wallets/setup/wallet-explanation.ts'
import { command } from '../../kit/command.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { argument, flag, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { recordOptions, requireRecordKey, walletOption } from './wallet-record-key.ts'

const { side } = recordOptions

export const walletWhy = command({
  name: 'wallet why',
  summary: 'Explains why a wallet button is missing on a page, and why tokens are not decrypted.',
  details:
    'Conditions without a value are not checked: without --host neither https nor the domain, without --browser no property of the browser. It also lists what pages and browsers reported in the last days. Exits with code 1 if the button is missing.',
  args: { merchant: argument('MERCHANT', readers.nonEmpty) },
  options: {
    ...walletOption,
    side,
    host: text('HOST', 'The host of the page that should show the button.'),
    http: flag('The page is served over http.'),
    currency: text('CODE', 'Currency of the order.'),
    auth: flag('The session authorises only (a hold).'),
    recurring: flag('The session starts a recurring chain.'),
    browser: value('BROWSER', `Browser of the payer: ${browserKinds.join(', ')}.`, readers.oneOf(browserKinds)),
    json: flag('Prints JSON.'),
  },
  async run(
    context,
    args,
    { host = null, http, currency = null, auth = false, recurring = false, browser = null, json, ...options },
  ) {
    await using instance = await openInstance(context)
    const recordKey = await requireRecordKey(instance, args.merchant, options)
    const page = { host, secure: http !== true, currency, auth, recurring, browser }
    const { button, flow, recorded } = await explainWallet(instance, recordKey, page, powersOf)
    if (json) printJson(context.output, { button, flow, recorded })
    else {
      context.output.out(button === null ? 'button  shown' : `button  missing: ${button.because}`)
      if (button !== null) context.output.out(`        → ${button.remedy}`)
      context.output.out(`flow    ${flow.flow ?? 'none'}`)
      for (const { because, remedy } of flow.unmet) context.output.out(`        ${because}\n        → ${remedy}`)
      if (recorded.length > 0) context.output.out(`\nNot shown in the last 7 days:\n${recordedTable(recorded)}`)
    }
    return button === null ? 0 : 1
  },
})

const recordedTable = (recorded: readonly RecordedMissing[]): string =>
  table(
    ['reason', 'found by', 'times', 'last'],
    recorded.map(({ reason, source, count, lastAt }) => [reason, source, count, lastAt]),
  )

function powersOf(id: string) {
  const connector = connectorById(id)
  return connector === undefined ? null : capabilitiesOf(connector)
}
