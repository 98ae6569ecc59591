/** Why a wallet's button is missing, and why its tokens are not opened. Chapter 40 §7. */
import { explainWallet } from '#server/administration/wallet-explanation.ts'
import { capabilitiesOf, connectorById } from '#server/connectors/registry.ts'
import type { RecordedMissing } from '#server/store/missing-buttons.ts'
import { browserKinds } from '#server/wallet-accounts/explanation.ts'
import { command } from '../kit/command.ts'
import { printJson } from '../kit/context.ts'
import { openInstance } from '../kit/instance.ts'
import { argument, flag, text, value } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { table } from '../kit/table.ts'
import { placeOf, placeOptions, walletOption } from './wallet-place.ts'

const { side } = placeOptions

export const walletWhy = command({
  name: 'wallet why',
  summary: 'Says why a wallet’s button is missing on a page, and why its tokens are not opened.',
  details:
    'What is not given is not judged: without --host neither https nor the domain, without --browser nothing of the payer’s. Below stands what pages and browsers met in the last days. Exit code 1 when the button is missing.',
  args: { merchant: argument('MERCHANT', readers.nonEmpty) },
  options: {
    ...walletOption,
    side,
    host: text('HOST', 'The host of the page that should show the button.'),
    http: flag('The page is served over http.'),
    currency: text('CODE', 'Of the order.'),
    auth: flag('The session asks for a hold.'),
    recurring: flag('The session begins a chain.'),
    browser: value('BROWSER', `What the payer has: ${browserKinds.join(', ')}.`, readers.oneOf(browserKinds)),
    json: flag('Prints JSON.'),
  },
  async run(
    context,
    args,
    { host = null, http, currency = null, auth = false, recurring = false, browser = null, json, ...given },
  ) {
    await using instance = await openInstance(context)
    const place = await placeOf(instance, args.merchant, given)
    const page = { host, secure: http !== true, currency, auth, recurring, browser }
    const { button, flow, recorded } = await explainWallet(instance, place, page, powersOf)
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
