/** Domains that show a wallet's button. Chapter 40 §8. */
import { addDomains, removeDomain, uploadFile, verifiedAtMaker } from '#server/administration/wallet-domains.ts'
import { domainChecker } from '#server/due/wallet-domain-check.ts'
import { walletDomainStore } from '#server/store/wallet-domains.ts'
import { platformPlace, walletSettingsStore } from '#server/store/wallet-settings.ts'
import { expectedFile } from '#server/wallet-accounts/domain-plan.ts'
import type { WalletDomain } from '#server/wallet-records.ts'
import { type Command, command } from '../kit/command.ts'
import { CommandError } from '../kit/command-error.ts'
import { printJson } from '../kit/context.ts'
import { type Instance, openInstance } from '../kit/instance.ts'
import { merchantNamed } from '../kit/named.ts'
import { anyArguments, argument, flag, text, value } from '../kit/options.ts'
import * as readers from '../kit/readers.ts'
import { table } from '../kit/table.ts'
import { bytesFrom, textFrom } from '../kit/text-source.ts'
import { deskOf, entered, walletOption } from './wallet-place.ts'

const merchant = argument('MERCHANT', readers.nonEmpty)
const domain = argument('DOMAIN', readers.nonEmpty)

export const walletDomainCommands: readonly Command[] = [
  command({
    name: 'wallet domain list',
    summary: 'Lists the domains of a merchant with what their checks found.',
    args: { merchant },
    options: { ...walletOption, json: flag('Prints JSON.') },
    async run(context, args, { wallet = 'walletapay', json }) {
      await using instance = await openInstance(context)
      const { id } = await merchantNamed(instance.pool, args.merchant)
      const domains = await walletDomainStore(instance.pool).list(id, wallet)
      if (json)
        printJson(
          context.output,
          domains.map(({ file, ...shown }) => ({ ...shown, fileBytes: file?.length ?? null })),
        )
      else
        context.output.out(
          table(
            ['domain', 'purpose', 'controlled by', 'state', 'file', 'last check', 'fault', 'next check'],
            domains.map((one) => [
              one.domain,
              one.purpose,
              one.controlledBy,
              one.state,
              one.fileSha256?.slice(0, 16) ?? null,
              one.lastCheck,
              one.lastFault,
              one.nextCheck,
            ]),
          ),
        )
    },
  }),

  command({
    name: 'wallet domain add',
    summary: 'Adds domains, and says of each what became of it.',
    details: 'A line of the file may go on with purpose and who controls the domain: shop.example,test,merchant.',
    args: { merchant, domains: anyArguments('DOMAIN') },
    options: {
      ...walletOption,
      file: text('FILE', 'One domain per line; - reads standard input.'),
      purpose: value('PURPOSE', 'production, the default, or test.', readers.oneOf(['production', 'test'])),
      controlledBy: value('WHO', 'operator, the default, or merchant.', readers.oneOf(['operator', 'merchant'])),
    },
    async run(context, args, { wallet = 'walletapay', file, purpose = 'production', controlledBy = 'operator' }) {
      await using instance = await openInstance(context)
      const { id } = await merchantNamed(instance.pool, args.merchant)
      const lines = file === undefined ? [] : [await textFrom(`@${file}`, context)]
      const all = [...args.domains, ...lines].join('\n')
      const answers = await addDomains(deskOf(instance), id, wallet, all, { purpose, controlledBy })
      if (answers.length === 0) throw new CommandError('No domain was given.', 'Name some, or use --file.')
      context.output.out(
        table(
          ['domain', 'result', 'why'],
          answers.map(({ line, result, text: why }) => [line, result, why]),
        ),
      )
      return answers.every(({ text: why }) => why === null) ? 0 : 1
    },
  }),

  command({
    name: 'wallet domain file',
    summary: 'Uploads the file that the maker gave out for a domain; it is served byte for byte.',
    args: { merchant, domain, file: argument('FILE', readers.nonEmpty) },
    options: walletOption,
    async run(context, args, { wallet = 'walletapay' }) {
      await using instance = await openInstance(context)
      const { id } = await merchantNamed(instance.pool, args.merchant)
      const bytes = await bytesFrom(args.file, context)
      const { fileSha256 } = entered(
        await uploadFile(deskOf(instance), id, wallet, args.domain, bytes),
        context.output.err,
      )
      context.output.out(`${args.domain} serves ${bytes.length} bytes of SHA-256 ${fileSha256}.`)
    },
  }),

  command({
    name: 'wallet domain remove',
    summary: 'Takes a domain away; the button is hidden there.',
    args: { merchant, domain },
    options: walletOption,
    async run(context, args, { wallet = 'walletapay' }) {
      await using instance = await openInstance(context)
      const { id } = await merchantNamed(instance.pool, args.merchant)
      entered(await removeDomain(deskOf(instance), id, wallet, args.domain), context.output.err)
      context.output.out(`${args.domain} is removed.`)
    },
  }),

  command({
    name: 'wallet domain verified',
    summary: 'Says that a domain is verified at the maker, after a fresh check of it.',
    args: { merchant, domain },
    options: walletOption,
    async run(context, args, { wallet = 'walletapay' }) {
      await using instance = await openInstance(context)
      const { id } = await merchantNamed(instance.pool, args.merchant)
      const check = (entry: WalletDomain) => checkNow(instance, entry)
      entered(await verifiedAtMaker(deskOf(instance), id, wallet, args.domain, check), context.output.err)
      context.output.out(`${args.domain} is verified.`)
    },
  }),
]

async function checkNow({ pool, config }: Instance, entry: WalletDomain) {
  const operators = (await walletSettingsStore(pool).find(platformPlace(entry.wallet)))?.associationFile ?? null
  const expected = expectedFile(entry, operators)
  if (expected === null)
    throw new CommandError(
      'There is no file to look for yet.',
      'Upload it with "wallet domain file" or "wallet platform file".',
    )
  const checker = domainChecker({ addresses: { allowPrivate: config.allowPrivateCallbacks } })
  try {
    return await checker.check(entry.domain, expected)
  } finally {
    await checker.close()
  }
}
