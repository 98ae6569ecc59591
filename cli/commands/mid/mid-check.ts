/** Asks the acquirer of a MID whether its credentials are right. Chapter 60 §6. */
import { openAcquirer } from '#server/assembly/open-acquirer.ts'
import { checkCredentials } from '#server/connectors/exchange.ts'
import { describeCheck } from '#server/panel/setup/mid-check.ts'
import { command } from '../../kit/command.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMid } from '../../kit/named.ts'
import { argument, flag } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'

export const checkMid = command({
  name: 'mid check',
  summary: 'Asks the acquirer whether the credentials of a MID are right, and says which value is wrong.',
  details: 'Moves no money. Exit code 1 if the acquirer refuses the credentials or does not answer.',
  args: { name: argument('NAME', readers.nonEmpty) },
  options: { json: flag('Prints JSON.') },
  examples: ['gatehouse mid check main'],
  async run(context, { name }, { json }) {
    await using instance = await openInstance(context)
    await using opened = await openAcquirer(instance, await requireMid(instance.pool, name))
    const shown = describeCheck(await checkCredentials(opened.acquirer.account))
    if (json) printJson(context.output, { mid: name, ...shown })
    else context.output.out(shown.field === null ? shown.text : `${shown.field}: ${shown.text}`)
    return shown.kind === 'refused' || shown.kind === 'no-answer' ? 1 : 0
  },
})
