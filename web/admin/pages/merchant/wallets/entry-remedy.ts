/** Adds to the fault of a key or certificate what the user can do about it (chapter 40 §4.2). */

// biome-ignore format: a table is read in columns.
const remedies: readonly (readonly [fault: string, remedy: string])[] = [
  // begins with                                    remedy
  ['The key is damaged or incomplete.',             'Copy the whole text from the file again, from its first character to its last.'],
  ['The key is protected by a passphrase',          'Export the key without the passphrase, then paste it.'],
  ['This is a certificate, not a private key.',     'Paste the key that the certificate request was created with.'],
  ['This is a private key, not a certificate.',     'Paste the certificate that the wallet provider issued.'],
  ['More than one key.',                            'Paste a single key.'],
  ['The key must be EC P-256.',                     'Create a new key of this type and enter its public key at the wallet provider.'],
  ['The key must be EC P-256',                      'Create a new key of this type and have a certificate issued for it.'],
  ['The key is inconsistent.',                      'Its parts do not match. Export it again.'],
  ['The certificate does not belong to the key.',   'Paste the matching key, or have a certificate issued for this key.'],
  ['The certificate expired on',                    'Have a new one issued by the wallet provider.'],
  ['The certificate is valid from',                 'Enter it again on or after that day.'],
  ['The certificate was issued for',                'Use the certificate of this merchant identifier, or correct the identifier.'],
  ['The key is already in use here.',               'Create another key. A key can be used only once.'],
]

/** The fault alone if there is no remedy. */
export function addRemedy(fault: string): string {
  const remedy = remedies.find(([beginning]) => fault.startsWith(beginning))?.[1]
  return remedy === undefined ? fault : `${fault} ${remedy}`
}
