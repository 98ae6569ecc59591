/** The object identifiers in certificates and signatures of the authority. */

// biome-ignore format: a table is read in columns.
export const oids = {
  // envelope of a signature
  data:                   '1.2.840.113549.1.7.1',
  signedData:             '1.2.840.113549.1.7.2',
  contentType:            '1.2.840.113549.1.9.3',
  messageDigest:          '1.2.840.113549.1.9.4',
  signingTime:            '1.2.840.113549.1.9.5',
  algorithmProtection:    '1.2.840.113549.1.9.52',

  // algorithms
  sha1:                   '1.3.14.3.2.26',
  sha256:                 '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256:        '1.2.840.10045.4.3.2',
  rsaWithSha256:          '1.2.840.113549.1.1.11',

  // names and extensions of certificates
  commonName:             '2.5.4.3',
  userId:                 '0.9.2342.19200300.100.1.1',
  subjectKeyIdentifier:   '2.5.29.14',
  keyUsage:               '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints:       '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage:       '2.5.29.37',
  serverAuthentication:   '1.3.6.1.5.5.7.3.1',
  clientAuthentication:   '1.3.6.1.5.5.7.3.2',

  // marks of wallet A (Chapter 40 §11.2, §3) and of the sandbox authority (§14)
  walletLeaf:             '1.2.840.113635.100.6.29',
  walletIntermediate:     '1.2.840.113635.100.6.2.14',
  merchantIdentifier:     '1.2.840.113635.100.6.32',
  sandboxAuthority:       '2.25.321880819566626005753642366801616009438',
} as const
