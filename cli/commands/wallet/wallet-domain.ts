/** Domains on which a wallet's button is shown. Chapter 40 §8. */
import type { WalletDomain } from '#server/contracts/wallet-records.ts'
import { domainChecker } from '#server/due/wallets/wallet-domain-check.ts'
import { walletDomainAudit } from '#server/panel/setup/wallets.ts'
import { walletDomainStore } from '#server/store/wallets/wallet-domains.ts'
import { platformRecordKey, walletSettingsStore } from '#server/store/wallets/wallet-settings.ts'
import { expectedFile } from '#server/wallets/accounts/domain-plan.ts'
import { addDomains, confirmVerified, removeDomain, uploadFile } from '#server/wallets/setup/wallet-domains.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { anyArguments, argument, flag, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { readBytes, readText } from '../../kit/text-source.ts'
import { requireEntered, walletContext, walletOption } from './wallet-record-key.ts'

const merchant = argument('MERCHANT', readers.nonEmpty)
const domain = argument('DOMAIN', readers.nonEmpty)

export const walletDomainCommands: readonly Command[] = [
  command({
    name: 'wallet domain list',
    summary: 'Lists the domains of a merchant with the results of their checks.',
    args: { merchant },
    options: { ...walletOption, json: flag('Prints JSON.') },
    async run(context, args, { wallet = 'walletapay', json }) {
      await using instance = await openInstance(context)
      const { id } = await requireMerchant(instance.pool, args.merchant)
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
    changes: true,
    summary: 'Adds domains and reports the result for each.',
    details: 'A line of the file may also contain the purpose and who controls the domain: shop.example,test,merchant.',
    args: { merchant, domains: anyArguments('DOMAIN') },
    options: {
      ...walletOption,
      file: text('FILE', 'One domain per line; - reads standard input.'),
      purpose: value('PURPOSE', 'production (default) or test.', readers.oneOf(['production', 'test'])),
      controlledBy: value('WHO', 'operator (default) or merchant.', readers.oneOf(['operator', 'merchant'])),
    },
    async run(context, args, { wallet = 'walletapay', file, purpose = 'production', controlledBy = 'operator' }) {
      await using instance = await openInstance(context)
      const lines = file === undefined ? [] : [await readText(`@${file}`, context)]
      const all = [...args.domains, ...lines].join('\n')
      if (all.trim() === '') throw new CommandError('No domain given.', 'Give one or more domains, or --file.')
      const answers = await instance.change(async (change) => {
        const { id } = await requireMerchant(change.pool, args.merchant)
        const results = await addDomains(walletContext(change), { merchantId: id, wallet }, all, {
          purpose,
          controlledBy,
        })
        const added = results.filter(({ result }) => result === 'added').map(({ line }) => line)
        change.note({ ...walletDomainAudit('wallet.add-domains', id, wallet), after: { added } })
        return results
      })
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
    changes: true,
    summary: 'Uploads the wallet provider’s verification file for a domain; it is served unchanged.',
    args: { merchant, domain, file: argument('FILE', readers.nonEmpty) },
    options: walletOption,
    async run(context, args, { wallet = 'walletapay' }) {
      await using instance = await openInstance(context)
      const bytes = await readBytes(args.file, context)
      const sha256 = await instance.change(async (change) => {
        const { id } = await requireMerchant(change.pool, args.merchant)
        const uploaded = await uploadFile(walletContext(change), { merchantId: id, wallet }, args.domain, bytes)
        const { fileSha256 } = requireEntered(uploaded, context.output.err)
        const after = { host: args.domain, sha256: fileSha256 }
        change.note({ ...walletDomainAudit('wallet.upload-file', id, wallet), after })
        return fileSha256
      })
      context.output.out(`${args.domain} serves ${bytes.length} bytes of SHA-256 ${sha256}.`)
    },
  }),

  command({
    name: 'wallet domain remove',
    changes: true,
    summary: 'Removes a domain; the wallet button is hidden there.',
    args: { merchant, domain },
    options: walletOption,
    async run(context, args, { wallet = 'walletapay' }) {
      await using instance = await openInstance(context)
      await instance.change(async (change) => {
        const { id } = await requireMerchant(change.pool, args.merchant)
        requireEntered(
          await removeDomain(walletContext(change), { merchantId: id, wallet }, args.domain),
          context.output.err,
        )
        change.note({ ...walletDomainAudit('wallet.remove-domain', id, wallet), before: { host: args.domain } })
      })
      context.output.out(`${args.domain} is removed.`)
    },
  }),

  command({
    name: 'wallet domain verified',
    changes: true,
    summary: 'Marks a domain as verified by the wallet provider, after checking it again.',
    args: { merchant, domain },
    options: walletOption,
    async run(context, args, { wallet = 'walletapay' }) {
      await using instance = await openInstance(context)
      const { id: owner } = await requireMerchant(instance.pool, args.merchant)
      const known = await walletDomainStore(instance.pool).find(owner, wallet, args.domain)
      // Checked before the change begins, so that no transaction stays open during a request to another server.
      const found = known && (await checkNow(instance, known))
      const check = async (entry: WalletDomain) => (known ? found : checkNow(instance, entry))
      await instance.change(async (change) => {
        const { id } = await requireMerchant(change.pool, args.merchant)
        const verified = await confirmVerified(walletContext(change), { merchantId: id, wallet }, args.domain, check)
        const { state } = requireEntered(verified, context.output.err)
        change.note({ ...walletDomainAudit('wallet.confirm-domain', id, wallet), after: { host: args.domain, state } })
      })
      context.output.out(`${args.domain} is verified.`)
    },
  }),
]

async function checkNow({ pool, config }: Instance, entry: WalletDomain) {
  const operators = (await walletSettingsStore(pool).find(platformRecordKey(entry.wallet)))?.associationFile ?? null
  const expected = expectedFile(entry, operators)
  if (expected === null)
    throw new CommandError(
      'The domain has no verification file yet.',
      'Upload it with "wallet domain file" or "wallet platform file".',
    )
  const checker = domainChecker({ addresses: { allowPrivate: config.allowPrivateCallbacks } })
  try {
    return await checker.check(entry.domain, expected)
  } finally {
    await checker.close()
  }
}
