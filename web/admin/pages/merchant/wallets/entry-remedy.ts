/** What to do about a key or a certificate that is not taken, beside the words of the fault (chapter 40 §4.2). */

// biome-ignore format: a table is read in columns.
const remedies: readonly (readonly [fault: string, remedy: string])[] = [
  // begins with                                    what to do
  ['The key is damaged or incomplete.',             'Copy the whole text from the file again, from its first character to its last.'],
  ['The key is protected by a passphrase',          'Write it out once without the passphrase, and paste that.'],
  ['This is a certificate, not a private key.',     'Paste the key that the certificate request was made with.'],
  ['This is a private key, not a certificate.',     'Paste the file that the maker sent back for the certificate request.'],
  ['More than one key.',                            'Paste one alone.'],
  ['The key must be EC P-256',                      'Make a new key of this type, and have a certificate issued for it.'],
  ['The key is inconsistent.',                      'Its parts do not belong together; take it from its source again.'],
  ['The certificate does not belong to the key.',   'Paste the key that its request was made with, or have a certificate issued for this key.'],
  ['The certificate expired on',                    'Have a new one issued at the maker.'],
  ['The certificate is valid from',                 'Enter it again from that day on.'],
  ['The certificate was issued for',                'Take the certificate of this Merchant Identifier, or correct the identifier.'],
  ['The key is already in use here.',               'Make another key; one key has one place.'],
]

/** The fault itself when there is nothing to add. */
export function explained(fault: string): string {
  const remedy = remedies.find(([beginning]) => fault.startsWith(beginning))?.[1]
  return remedy === undefined ? fault : `${fault} ${remedy}`
}
