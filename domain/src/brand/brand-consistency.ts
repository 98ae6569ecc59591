/** Contradictions between the fields of a brand, and conflicts with other brands. Chapter 20 §5.1. */
import type { Brand } from './brand.ts'
import type { RecordFault } from './record-reader.ts'

export function brandFaults(brand: Brand): readonly RecordFault[] {
  const { kind, actions, identifierSchema } = brand
  const isCrypto = kind === 'crypto'
  const foreign = [...Object.keys(brand.parameters), ...Object.keys(brand.payerRequired)].filter(
    (action) => !actions.some((own) => own === action),
  )
  // biome-ignore format: a table is read in columns.
  const rules: readonly (readonly [wrong: boolean, field: string, text: string])[] = [
    // what does not fit                                          field                why
    [ brand.title['en'] === undefined,                            'title',             'Must have an English text (en).' ],
    [ brand.aliases.includes(brand.code),                         'aliases',           'Must not contain the code itself.' ],
    [ actions.length === 0,                                       'actions',           'Must name at least one action.' ],
    [ new Set(actions).size !== actions.length,                   'actions',           'Must be a list without repeats.' ],
    [ actions.includes('CREDIT2CRYPTO') && !isCrypto,             'actions',           'CREDIT2CRYPTO belongs to the kind crypto.' ],
    [ brand.connectors.length === 0,                              'connectors',        'Must name at least one connector.' ],
    [ brand.currencies.length === 0,                              'currencies',        'Must name at least one currency.' ],
    [ brand.countries.length === 0,                               'countries',         'Must name at least one country.' ],
    [ brand.amountOptional && !isCrypto,                          'amount_optional',   'Belongs to the kind crypto.' ],
    [ brand.cryptoNetworks !== null && !isCrypto,                 'crypto_networks',   'Belongs to the kind crypto.' ],
    [ identifierSchema !== null && isNested(identifierSchema.type), 'identifier_schema', 'Must be a single value.' ],
    [ foreign.length > 0,                                         'parameters',        `Must not name actions that the brand does not offer: ${foreign.join(', ')}.` ],
    [ brand.twoStage !== 'no' && !actions.includes('CAPTURE'),    'two_stage',         'Needs the action CAPTURE.' ],
    [ brand.partialCapture && brand.twoStage === 'no',            'partial_capture',   'Belongs to a two-stage brand.' ],
    [ brand.void && !actions.includes('VOID'),                    'void',              'Needs the action VOID.' ],
    [ brand.refund !== 'none' && !actions.includes('CREDITVOID'), 'refund',            'Needs the action CREDITVOID.' ],
    [ brand.cascade && kind !== 'direct' && kind !== 'wallet',    'cascade',           'Belongs to the kinds direct and wallet.' ],
    [ kind === 'wallet' && brand.pageMode === 'own_form',         'page_mode',         'A wallet has a button and no form.' ],
  ]
  return rules.filter(([wrong]) => wrong).map(([, field, text]) => ({ field, text }))
}

/** A code or alias names one brand only; `others` are all brands except the one being replaced. */
export function nameFaults(brand: Brand, others: Iterable<Brand>): readonly RecordFault[] {
  const taken = new Map(
    [...others].flatMap((other) => [other.code, ...other.aliases].map((name) => [name, other.code])),
  )
  const fault = (field: string, name: string): readonly RecordFault[] => {
    const owner = taken.get(name)
    return owner === undefined ? [] : [{ field, text: `${name} is already a name of the brand ${owner}.` }]
  }
  return [...fault('code', brand.code), ...brand.aliases.flatMap((alias) => fault('aliases', alias))]
}

/** Some fields of a built-in brand cannot change, nor can the code of a brand that already has payments. */
export function changeFaults(
  before: Brand,
  after: Brand,
  { hasPayments }: { readonly hasPayments: boolean },
): readonly RecordFault[] {
  const same = (a: readonly string[], b: readonly string[]): boolean =>
    a.length === b.length && a.every((one) => b.includes(one))
  const ofBuiltIn = 'Is fixed for a built-in brand; copy it under another code.'
  // biome-ignore format: a table is read in columns.
  const rules: readonly (readonly [wrong: boolean, field: string, text: string])[] = [
    // what changed                                              field      why not
    [ before.builtIn && before.code !== after.code,              'code',    ofBuiltIn ],
    [ before.builtIn && before.kind !== after.kind,              'kind',    ofBuiltIn ],
    [ before.builtIn && !same(before.actions, after.actions),    'actions', ofBuiltIn ],
    [ !before.builtIn && hasPayments && before.code !== after.code, 'code', 'Cannot be changed once payments were made with the brand.' ],
  ]
  return rules.filter(([wrong]) => wrong).map(([, field, text]) => ({ field, text }))
}

const isNested = (type: string): boolean => type === 'object' || type === 'list'
