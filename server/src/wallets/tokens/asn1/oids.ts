/** The object identifiers in certificates, keys and signatures of the wallets. */

// biome-ignore format: a table is read in columns.
export const oids = {
  // signature envelope
  data:                 '1.2.840.113549.1.7.1',
  signedData:           '1.2.840.113549.1.7.2',
  contentType:          '1.2.840.113549.1.9.3',
  messageDigest:        '1.2.840.113549.1.9.4',
  signingTime:          '1.2.840.113549.1.9.5',
  algorithmProtection:  '1.2.840.113549.1.9.52',

  // algorithms
  sha256:               '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256:      '1.2.840.10045.4.3.2',
  ecdsaWithSha384:      '1.2.840.10045.4.3.3',
  ecdsaWithSha512:      '1.2.840.10045.4.3.4',
  rsaEncryption:        '1.2.840.113549.1.1.1',
  rsaWithSha256:        '1.2.840.113549.1.1.11',
  rsaWithSha384:        '1.2.840.113549.1.1.12',
  rsaWithSha512:        '1.2.840.113549.1.1.13',
  ecPublicKey:          '1.2.840.10045.2.1',
  p256:                 '1.2.840.10045.3.1.7',

  // certificates
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage:             '2.5.29.15',
  basicConstraints:     '2.5.29.19',
  userId:               '0.9.2342.19200300.100.1.1',

  // marks of wallet A (Chapter 40 §11.2, §3) and of our sandbox authority (§14)
  walletLeaf:           '1.2.840.113635.100.6.29',
  walletIntermediate:   '1.2.840.113635.100.6.2.14',
  merchantIdentifier:   '1.2.840.113635.100.6.32',
  sandboxAuthority:     '2.25.321880819566626005753642366801616009438',
} as const
