/** Faults of keys and certificates at entry, in the words of Chapter 40 §4.2. The field's name precedes the text. */
export interface EntryFault {
  readonly id: FaultId
  readonly text: string
}

export type FaultId = keyof typeof texts

/** `fill` replaces the variable part of the text. */
export function entryFault(id: FaultId, fill = ''): EntryFault {
  return { id, text: texts[id].replace('<>', () => fill) }
}

// biome-ignore format: a table is read in columns.
const texts = {
  K1:             'This value should not be blank.',
  K2:             'Not a key: paste the text between the BEGIN and END markers.',
  K3:             'The key is damaged or incomplete.',
  K4:             'The key is protected by a passphrase; remove it first.',
  K5:             'This is a certificate, not a private key.',
  K5reverse:      'This is a private key, not a certificate.',
  K6:             'More than one key.',
  K7:             'The key must be EC P-256 or RSA 2048.',
  K7elliptic:     'The key must be EC P-256.',
  K8:             'The key is inconsistent.',
  K9:             'The certificate does not belong to the key.',
  K10expired:     'The certificate expired on <>.',
  K10notYet:      'The certificate is valid from <>.',
  K11:            'The certificate was issued for <>.',
  K12:            'The key is already in use here.',
} as const
