/** Payment links: created, listed and cancelled. Chapter 70 §8. */
import { linkMetadata, linkUses } from '#domain/checkout/payment-link.ts'
import { parseAmount } from '#domain/money/money.ts'
import { languages } from '#domain/place/language.ts'
import { accept, refuse } from '#domain/reading.ts'
import { linkAddress } from '#server/panel/links/link-address.ts'
import {
  cancelPaymentLink,
  createPaymentLink,
  linkAmountText,
  listPaymentLinks,
} from '#server/panel/links/payment-links.ts'
import { type LoadedConfiguration, loadConfiguration } from '#server/store/configuration/configuration.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, type Option, repeatedOption, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'

const shownAtMost = 500
const languageCodes: readonly string[] = languages.map(({ code }) => code)
const json = flag('Prints JSON.')

const metadata: Option<Readonly<Record<string, string>>> = {
  ...repeatedOption('KEY=VALUE', 'A value that callbacks return as custom_data. May be given several times.'),
  negated: null,
  read: (texts) => {
    const members = texts.map((text): readonly [string, string] => {
      const at = text.indexOf('=')
      return at < 0 ? ['', ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    })
    const { name: longestName, value: longestValue, members: most } = linkMetadata
    const isWrong = members.some(([name, one]) => name === '' || name.length > longestName || one.length > longestValue)
    if (isWrong)
      return refuse(
        `KEY=VALUE such as customer=42, with at most ${longestName} characters before "=" and ${longestValue} after it`,
      )
    const names = new Set(members.map(([name]) => name))
    if (names.size < members.length) return refuse('each key once')
    return names.size > most ? refuse(`at most ${most} values`) : accept(Object.fromEntries(members))
  },
}

export const linkCommands: readonly Command[] = [
  command({
    name: 'link create',
    changes: true,
    summary: 'Creates a payment link and prints its address.',
    details: 'Without --amount the payer chooses the amount. A link takes one payment; with --many any number.',
    args: { merchant: argument('MERCHANT', readers.nonEmpty) },
    options: {
      amount: value('AMOUNT', 'Amount such as 10.00.', readers.nonEmpty),
      currency: value('CURRENCY', 'Currency such as EUR.', readers.nonEmpty),
      description: value('TEXT', 'What is paid; the payer reads it.', readers.nonEmpty),
      order: value('NUMBER', 'Order number, for a link with one payment.', readers.nonEmpty),
      many: flag('The link takes any number of payments.'),
      language: value(
        'CODE',
        'Language of the page; default that of the payer’s browser.',
        readers.oneOf(languageCodes),
      ),
      metadata,
      expires: value('TIME', 'When the link ends, such as 2027-01-31T00:00:00Z.', readers.moment),
      test: flag('A link of the test mode.'),
      json,
    },
    examples: ['gatehouse link create acme --amount 49.90 --currency EUR --description "Invoice 2027-118"'],
    async run(context, args, options) {
      const { currency, description, amount, expires: expiresAt = null } = options
      if (currency === undefined) throw new CommandError('--currency is missing.', 'Give a currency such as EUR.')
      if (description === undefined) throw new CommandError('--description is missing.', 'Say what is paid.')
      await using instance = await openInstance(context)
      const configuration = await readConfiguration(instance)
      const merchant = await requireMerchant(instance.pool, args.merchant)
      const wish = {
        merchantId: merchant.id,
        mode: options.test ? 'test' : 'live',
        amountMinor: amount === undefined ? null : minorOf(configuration, amount, currency),
        currency,
        description,
        orderNumber: options.order ?? null,
        uses: linkUses[options.many ? 1 : 0],
        language: options.language ?? null,
        metadata: options.metadata ?? null,
        expiresAt,
      } as const
      const link = await instance.change(async (change) => {
        const created = await withPanelRefusals(createPaymentLink({ ...change, configuration }, change.actor, wish))
        change.note(created.audit)
        return created.link
      })
      const url = addressOf(instance, configuration, link)
      if (options.json) printJson(context.output, { ...link, url })
      else context.output.out(url)
    },
  }),
  command({
    name: 'link list',
    summary: 'Lists payment links, newest first.',
    args: {},
    options: { merchant: value('NAME', 'Only links of this merchant.', readers.nonEmpty), json },
    async run(context, _args, { merchant: name, json: asJson }) {
      await using instance = await openInstance(context)
      const configuration = await readConfiguration(instance)
      const merchantIds = name === undefined ? null : [(await requireMerchant(instance.pool, name)).id]
      const links = await listPaymentLinks({ ...instance, configuration }, merchantIds, null, shownAtMost)
      const shown = links.map((link) => ({ ...link, url: addressOf(instance, configuration, link) }))
      if (asJson) {
        printJson(context.output, shown)
        return
      }
      const headings = ['link', 'merchant', 'state', 'amount', 'paid', 'expires', 'description', 'address']
      const rows = shown.map((one) => [
        one.id,
        configuration.merchant(one.merchantId)?.name ?? one.merchantId,
        one.state,
        linkAmountText(one) || `any, ${one.currency}`,
        one.paid,
        one.expiresAt,
        one.description,
        one.url,
      ])
      context.output.out(table(headings, rows))
    },
  }),
  command({
    name: 'link cancel',
    changes: true,
    summary: 'Cancels a payment link: no payment can begin with it any more.',
    args: { merchant: argument('MERCHANT', readers.nonEmpty), link: argument('LINK', readers.uuid) },
    options: {},
    async run(context, { merchant: name, link }) {
      await using instance = await openInstance(context)
      const configuration = await readConfiguration(instance)
      const { id } = await requireMerchant(instance.pool, name)
      await instance.change(async (change) =>
        change.note(await withPanelRefusals(cancelPaymentLink({ ...change, configuration }, id, link))),
      )
      context.output.out('Cancelled.')
    },
  }),
]

const readConfiguration = ({ pool, vault, log }: Instance): Promise<LoadedConfiguration> =>
  loadConfiguration(pool, vault, log)

function minorOf(configuration: LoadedConfiguration, amount: string, currency: string): bigint {
  const read = parseAmount(amount, currency, configuration.cryptoCurrencies())
  if (typeof read === 'string')
    throw new CommandError(`"${amount}" is not an amount in ${currency}.`, 'Write it with a point, such as 10.00.')
  return read.minor
}

/** The command line does not know on which port a process listens, so that BASE_URL has to be set for a whole address. */
const addressOf = (
  { config }: Instance,
  configuration: LoadedConfiguration,
  link: Parameters<typeof linkAddress>[1],
): string =>
  linkAddress(
    { configuration, checkoutDomain: config.wallets.checkoutDomain, publicUrl: () => config.baseUrl ?? '' },
    link,
  )
