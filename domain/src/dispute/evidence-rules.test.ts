import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedEvidence, type EvidenceRules, evidenceFault, evidenceHint } from './evidence-rules.ts'

const rules: EvidenceRules = {
  network: null,
  megabytes: { 'application/pdf': 2, 'image/jpeg': 4 },
  megabytesTogether: 4.5,
  filesAtMost: null,
  isOnePerKind: true,
  pages: null,
  note: null,
}
const proof = { name: 'proof.pdf', type: 'application/pdf', kind: 'delivery', size: 2_000_000 } as const
const photo = { name: 'photo.jpg', type: 'image/jpeg', kind: 'other', size: 2_500_000 } as const

test('files up to the limits of an acquirer are taken, and the first one beyond them is named', () => {
  const faultOf = (...files: Parameters<typeof evidenceFault>[0]) => evidenceFault(files, rules, 'Acme')
  assert.equal(faultOf(), null)
  assert.equal(faultOf(proof, photo), null)
  assert.equal(
    faultOf({ ...proof, size: proof.size + 1 }),
    'Acme takes PDF files of up to 2 MB. Make proof.pdf smaller.',
  )
  assert.equal(
    faultOf(proof, { ...photo, name: 'screen.png', type: 'image/png' }),
    'Acme takes PDF and JPEG files. Convert screen.png.',
  )
  assert.equal(faultOf(proof, { ...photo, size: photo.size + 1 }), 'Acme takes up to 4.5 MB in all. Use smaller files.')
  assert.match(faultOf(photo, { ...photo, name: 'second.jpg', size: 1 }) ?? '', /one of the kind “Other”.* second\.jpg/)
  const many = { ...rules, isOnePerKind: false }
  assert.equal(evidenceFault([photo, { ...photo, size: 1 }], many, 'Acme'), null)
})

test('a limit of a card network is refused in its name', () => {
  const amex: EvidenceRules = { ...rules, network: 'amex', filesAtMost: 2, isOnePerKind: false }
  const small = { ...photo, size: 1 }
  assert.equal(evidenceFault([small, small], amex, 'Acme'), null)
  assert.equal(
    evidenceFault([small, small, small], amex, 'Acme'),
    'For Amex, Acme takes up to 2 files. Combine some of them.',
  )
  assert.equal(
    evidenceFault([{ ...small, size: 4_000_001 }], amex, 'Acme'),
    'For Amex, Acme takes JPEG files of up to 4 MB. Make photo.jpg smaller.',
  )
})

test('the hint names what both the acquirer and this service take, and what people have to count', () => {
  const hintOf = (of: EvidenceRules | null) => evidenceHint(acceptedEvidence(of))
  assert.equal(hintOf(null), 'PDF, PNG or JPEG of up to 5 MB.')
  assert.equal(hintOf(rules), 'PDF of up to 2 MB, JPEG of up to 4 MB; 4.5 MB in all. One file of each kind.')
  const large: EvidenceRules = {
    ...rules,
    megabytes: { 'application/pdf': 2, 'image/jpeg': 10 },
    megabytesTogether: 50,
    isOnePerKind: false,
  }
  assert.equal(hintOf(large), 'PDF of up to 2 MB, JPEG of up to 5 MB.')
  assert.equal(hintOf({ ...large, megabytes: { 'application/pdf': 4, 'image/png': 4 } }), 'PDF or PNG of up to 4 MB.')
  const counted: EvidenceRules = {
    ...large,
    megabytesTogether: 10,
    filesAtMost: 5,
    pages: { atMost: 19, of: 'dispute' },
    note: 'Acme wants black and white.',
  }
  assert.equal(
    hintOf(counted),
    'PDF of up to 2 MB, JPEG of up to 5 MB; 10 MB and 5 files in all. Up to 19 pages in all; count them, because they are not checked here. Acme wants black and white.',
  )
  const perFile = { ...counted, pages: { atMost: 20, of: 'file' } } as const
  assert.match(hintOf(perFile), /Up to 20 pages per file; count them/)
})
