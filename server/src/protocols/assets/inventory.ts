/** Every script that a payer's browser may load, and its purpose. Chapter 30 §7.9, "Script inventory". */
import type { WebFile, WebFiles } from './web-files.ts'

// biome-ignore format: a table is read in columns.
export const purposes: Readonly<Record<string, string>> = {
  // script            what it is for
  'checkout.js':      'Renders the hosted page, validates the payer’s input and sends it to the service.',
  'field.js':         'Renders one hosted field inside its frame and sends its value to the service.',
  'hosted-fields.js': 'Adds the frames of hosted fields to a merchant’s page; it never sees the entered values.',
  'pay-session.js':   'Processes payments from a merchant’s own form hosted by the service, and wallet payments on other pages.',
}

interface InventoryEntry {
  readonly script: string
  readonly address: string
  readonly purpose: string
  readonly integrity: string
  readonly bytes: number
}

export const inventoryOf = (files: WebFiles): readonly InventoryEntry[] =>
  files.all().flatMap((file) => (isScript(file) ? [entryOf(file)] : []))

/** Users of the panel and readers of the documentation load the others, never payers. */
const isScript = ({ name }: WebFile): boolean => name.endsWith('.js') && !/^(admin|docs)[.-]/.test(name)

const entryOf = ({ name, path, integrity, content }: WebFile): InventoryEntry => ({
  script: name,
  address: path,
  purpose: purposes[name] ?? 'Not described.',
  integrity,
  bytes: content.length,
})
