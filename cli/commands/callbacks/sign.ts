/** Computes the hash of any request, callback or return, for integrators who look for the reason of a mismatch. */
import { webhookId } from '#domain/signature/callback-headers.ts'
import { formulaNamed, formulas, type NamedFormula } from '#domain/signature/formula-table.ts'
import { printableBytes } from '#domain/signature/hash-explanation.ts'
import { signRequest } from '#domain/signature/request-signature.ts'
import { systemClock } from '#server/process/clock.ts'
import { type Command, command } from '../../kit/command.ts'
import { UsageError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { suggestion } from '../../kit/nearest.ts'
import { anyArguments, flag, optionalArgument, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { readBytes } from '../../kit/text-source.ts'
import { keyOptions, readKeys } from '../../signing/merchant-keys.ts'
import { readValues } from '../../signing/values.ts'

export const signCommands: readonly Command[] = [
  command({
    name: 'sign',
    summary: 'Computes the hash of a request; --list shows the formulas.',
    details:
      'Values that are not given are left out of the signed text, as the interface requires. Give a card as card_number, as its\n' +
      'mask, or as pan10. The default digest is md5; with --merchant it is the digest of the merchant’s mapping.',
    args: { formula: optionalArgument('FORMULA', readers.nonEmpty), pairs: anyArguments('name=value') },
    options: {
      ...keyOptions,
      explain: flag('Shows the signed text with the password hidden.'),
      list: flag('Lists the formulas and their values.'),
      json: flag('Prints JSON.'),
    },
    examples: ['gatehouse sign card.start email=doe@example.com card_number=4111111111111111 --merchant demo'],
    async run(context, { formula: name, pairs }, { explain, list, json, ...options }) {
      if (list) {
        context.output.out(formulaTable())
        return
      }
      const formula = requireFormula(name)
      const { values } = readValues(formula, pairs)
      const { passwords, digest: known } = await readKeys(context, options, formula.protocol)
      const [password = ''] = passwords
      const digest = known ?? 'md5'

      const hash = formula.hash(values, { password, digest })
      const omitted = formula.terms?.filter((term) => !Object.hasOwn(values, term)) ?? []
      const signedText = printableBytes(formula.explain(values, password))
      if (json) {
        printJson(context.output, {
          formula: formula.name,
          digest,
          hash,
          ...(explain ? { text: signedText } : {}),
          left_out: omitted,
        })
        return
      }
      if (explain) context.output.out(signedText)
      context.output.out(hash)
      if (omitted.length > 0) context.output.err(`Note: left out because no value was given: ${omitted.join(', ')}.`)
    },
  }),

  command({
    name: 'sign request',
    summary: 'Prints the headers that sign a request as a whole, from its body.',
    details:
      'The body is read from FILE or standard input and has to be sent byte for byte: with curl by --data-binary @FILE. The headers are\n' +
      'accepted once, within five minutes. Token and Idempotency-Key are signed too: give them if the request has these headers.',
    args: { body: optionalArgument('FILE', readers.nonEmpty) },
    options: {
      password: keyOptions.password,
      merchant: text('NAME', 'The password of this merchant.'),
      method: value('METHOD', 'POST, GET or PUT; default POST.', readers.oneOf(['POST', 'GET', 'PUT'])),
      path: text('PATH', 'The path with its query, as the interface writes it; default /post.'),
      token: text('TOKEN', 'The header Token of a call of hosted fields.'),
      idempotencyKey: text('KEY', 'The header Idempotency-Key.'),
      id: text('ID', 'The header webhook-id; default a new one.'),
    },
    examples: [
      'gatehouse sign request body.txt --merchant demo',
      'gatehouse sign request update.json --method PUT --path /api/v1/session/update --token ZXlK… --merchant demo',
    ],
    async run(context, { body: file }, options) {
      const { method = 'POST', path = '/post', token = '', idempotencyKey = '', id = newId() } = options
      if (!path.startsWith('/')) throw new UsageError('--path must begin with a slash.', 'For example /api/v1/session.')
      const { passwords } = await readKeys(context, options, 'S2S_CARD')
      const [password = ''] = passwords
      const body = method === 'GET' ? '' : await readBytes(file, context)
      const request = { method, target: path, token, idempotencyKey, body }
      const headers = signRequest(password, request, { id, at: systemClock().now() })
      for (const [name, content] of Object.entries(headers)) context.output.out(`${name}: ${content}`)
    },
  }),
]

const newId = (): string => webhookId(crypto.randomUUID())

export function requireFormula(name: string | null): NamedFormula {
  if (name === null) throw new UsageError('FORMULA is missing.', '"gatehouse sign --list" shows the formulas.')
  const formula = formulaNamed(name)
  if (formula) return formula
  const near = suggestion(
    name,
    formulas.map((one) => one.name),
  )
  throw new UsageError(`There is no formula "${name}".${near}`, '"gatehouse sign --list" shows the formulas.')
}

function formulaTable(): string {
  const rows = formulas.map(({ name, number, terms, usedFor }) => [name, number, terms ?? 'every parameter', usedFor])
  return table(['formula', 'number', 'values', 'used for'], rows)
}
