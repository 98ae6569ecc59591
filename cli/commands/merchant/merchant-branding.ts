/** The appearance of a merchant's hosted page. Chapter 30 §7.1. */

import { templateNames } from '#domain/checkout/branding.ts'
import { isColour } from '#domain/checkout/colour.ts'
import { accept, refuse } from '#domain/reading.ts'
import { brandingAudit, shownBranding } from '#server/panel/setup/branding.ts'
import { changeBranding, clearBranding } from '#server/setup/branding.ts'
import { type BrandingRecord, brandingStore } from '#server/store/configuration/brandings.ts'
import { changesOf } from '../../kit/changes.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, orNone, value, withFlag } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { type CellValue, record } from '../../kit/table.ts'
import { readBytes } from '../../kit/text-source.ts'

const name = argument('NAME', readers.nonEmpty)
const colour: readers.Reader<string> = (text) => (isColour(text) ? accept(text) : refuse('a colour such as #1d4fd7'))

// biome-ignore format: a table is read in columns.
const settings = {
  // setting                    value                                                                            meaning
  template:   orNone(                     value('NAME', `Layout of the page: ${templateNames.join(', ')}.`, readers.oneOf(templateNames))),
  logo:       orNone(                     value('FILE', 'A PNG or SVG file of up to 100 KiB, shown instead of the name; - reads standard input.', readers.nonEmpty)),
  heading:    orNone(                     value('COLOUR', 'Colour of the heading; requires a background colour.',  colour)),
  background: orNone(                     value('COLOUR', 'Background colour of the page.',               colour)),
  button:     orNone(withFlag('buttons',   value('COLOUR', 'Colour of the buttons.',                            colour))),
}

export const brandingCommands: readonly Command[] = [
  command({
    name: 'merchant branding set',
    changes: true,
    summary: 'Changes the template, logo and colours of a merchant’s hosted page.',
    details:
      'Options that are not given stay unchanged. Text on the background and the buttons is black or white, whichever is\n' +
      'easier to read; the heading needs a contrast of at least 4.5:1 to the background.',
    args: { name },
    options: settings,
    examples: [
      'gatehouse merchant branding set demo --template split --logo logo.svg --buttons "#7a1f1f"',
      'gatehouse merchant branding set demo --heading "#7a1f1f" --background "#fff3e0" --no-logo',
    ],
    async run(context, args, { logo: file, ...colours }) {
      if (file === undefined && Object.keys(colours).length === 0) {
        throw new UsageError('Nothing to change.', '"gatehouse merchant branding set --help" shows the settings.')
      }
      const logo = typeof file === 'string' ? await readBytes(file, context) : file
      await using instance = await openInstance(context)
      const wishes = { ...colours, ...(logo === undefined ? {} : { logo }) }
      const [before, after] = await instance.change(async (change) => {
        const { id } = await requireMerchant(change.pool, args.name)
        const was = await brandingStore(change.pool).find(id)
        const result = await changeBranding(change, id, wishes)
        if (!result.ok) throw new CommandError('The branding was not accepted.', result.faults.join('\n'))
        change.note({
          ...brandingAudit('branding.change', id),
          before: shownBranding(was),
          after: shownBranding(result.branding),
        })
        return [was, result.branding]
      })
      context.output.out(changesOf(fieldsOf(before), fieldsOf(after)))
    },
  }),

  command({
    name: 'merchant branding show',
    summary: 'Shows the template, logo and colours of a merchant’s hosted page.',
    args: { name },
    options: { json: flag('Prints JSON.') },
    async run(context, args, { json }) {
      await using instance = await openInstance(context)
      const { id } = await requireMerchant(instance.pool, args.name)
      const fields = fieldsOf(await brandingStore(instance.pool).find(id))
      if (json) printJson(context.output, Object.fromEntries(fields))
      else context.output.out(record(fields))
    },
  }),

  command({
    name: 'merchant branding clear',
    changes: true,
    summary: 'Resets a merchant’s hosted page to the standard branding.',
    args: { name },
    options: {},
    async run(context, args) {
      await using instance = await openInstance(context)
      const wasThere = await instance.change(async (change) => {
        const { id } = await requireMerchant(change.pool, args.name)
        const before = await brandingStore(change.pool).find(id)
        if (!(await clearBranding(change, id))) return false
        change.note({ ...brandingAudit('branding.clear', id), before: shownBranding(before) })
        return true
      })
      context.output.out(
        wasThere
          ? 'The page has the standard branding.'
          : 'Nothing to change: the page already has the standard branding.',
      )
    },
  }),
]

// biome-ignore format: a table is read in columns.
const fieldsOf = (branding: BrandingRecord | null): readonly (readonly [string, CellValue])[] => [
  ['template',   branding?.template ?? null],
  ['logo',       branding?.logo?.hash ?? null],
  ['logo_type',  branding?.logo?.type ?? null],
  ['heading',    branding?.colours.heading ?? null],
  ['background', branding?.colours.background ?? null],
  ['buttons',    branding?.colours.button ?? null],
]
