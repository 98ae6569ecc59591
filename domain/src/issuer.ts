/**
 * Issuers by the first digits of a card number: country, bank and funding, from a table that the operator supplies. Networks need no
 * table: their ranges are in `card.ts`. The longest matching prefix decides, because issuers share the first six digits and split the
 * next two.
 */
export interface Issuer {
  readonly country: string | null
  readonly bank: string | null
  /** Absent where the table does not say. */
  readonly funding?: Funding
}

export const fundings = ['credit', 'debit', 'prepaid'] as const
type Funding = (typeof fundings)[number]

export interface Issuers {
  readonly size: number
  of(pan: string): Issuer | null
}

export const noIssuers: Issuers = { size: 0, of: () => null }

const shortest = 6
const longest = 8
const faultsShown = 5

type IssuerReading =
  | { readonly ok: true; readonly issuers: Issuers }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads lines of `bin,country,bank` and optionally `funding`, below a header of these names; a quoted bank may contain commas. */
export function readIssuers(text: string): IssuerReading {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (!/^bin,country,bank(?:,funding)?$/.test(header.trim().toLowerCase())) {
    return {
      ok: false,
      faults: ['The first line must be the header "bin,country,bank" or "bin,country,bank,funding".'],
    }
  }
  const known = new Map<string, Issuer>()
  const faults: string[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const row = rowPattern.exec(line)?.groups
    if (!row)
      faults.push(
        `Line ${index + 2} must be: BIN of 6 to 8 digits, optional country of two letters, bank, and funding if the header has it.`,
      )
    else known.set(row['bin'] ?? '', issuerOf(row))
    if (faults.length === faultsShown) break
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, issuers: issuersOf(known) }
}

const issuersOf = (known: ReadonlyMap<string, Issuer>): Issuers => ({
  size: known.size,
  of: (pan) => {
    for (let length = longest; length >= shortest; length -= 1) {
      const issuer = known.get(pan.slice(0, length))
      if (issuer) return issuer
    }
    return null
  },
})

const rowPattern =
  /^(?<bin>[0-9]{6,8}),(?<country>[A-Z]{2})?,(?<bank>"(?:[^"]|"")*"|[^",]*)(?:,(?<funding>credit|debit|prepaid)?)?$/

function issuerOf(row: Readonly<Record<string, string>>): Issuer {
  const funding = fundings.find((one) => one === row['funding'])
  return { country: row['country'] || null, bank: bankOf(row['bank'] ?? ''), ...(funding ? { funding } : {}) }
}

function bankOf(written: string): string | null {
  const text = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written
  return text.trim() === '' ? null : text.trim()
}
