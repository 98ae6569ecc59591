import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedEvidence, type EvidenceRules, evidenceFault, evidenceHint, evidenceTypeOf } from './evidence.ts'

test('evidence is recognised by its content, never by its name', () => {
  assert.equal(evidenceTypeOf(Buffer.from('%PDF-1.7')), 'application/pdf')
  assert.equal(evidenceTypeOf(Buffer.from('89504e470d0a1a0a00', 'hex')), 'image/png')
  assert.equal(evidenceTypeOf(Buffer.from('ffd8ffe0', 'hex')), 'image/jpeg')
  for (const other of ['', '%PD', '<html>', 'PK\x03\x04']) assert.equal(evidenceTypeOf(Buffer.from(other)), null)
})

const rules: EvidenceRules = {
  megabytes: { 'application/pdf': 2, 'image/jpeg': 4 },
  megabytesTogether: 4.5,
  isOnePerKind: true,
}
const megabyte = 1024 * 1024
const proof = { name: 'proof.pdf', type: 'application/pdf', kind: 'delivery', size: 2 * megabyte } as const
const photo = { name: 'photo.jpg', type: 'image/jpeg', kind: 'other', size: 2 * megabyte } as const

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
  assert.equal(faultOf(proof, { ...photo, size: 3 * megabyte }), 'Acme takes up to 4.5 MB in all. Use smaller files.')
  assert.match(faultOf(photo, { ...photo, name: 'second.jpg', size: 1 }) ?? '', /one of the kind “Other”.* second\.jpg/)
  const many = { ...rules, isOnePerKind: false }
  assert.equal(evidenceFault([photo, { ...photo, size: 1 }], many, 'Acme'), null)
})

test('the hint names what both the acquirer and this service take', () => {
  const hintOf = (of: EvidenceRules | null) => evidenceHint(acceptedEvidence(of))
  assert.equal(hintOf(null), 'PDF, PNG or JPEG of up to 5 MB.')
  assert.equal(hintOf(rules), 'PDF of up to 2 MB, JPEG of up to 4 MB; 4.5 MB in all.')
  const large = { megabytes: { 'application/pdf': 2, 'image/jpeg': 10 }, megabytesTogether: 50, isOnePerKind: false }
  assert.equal(hintOf(large), 'PDF of up to 2 MB, JPEG of up to 5 MB.')
  assert.equal(hintOf({ ...large, megabytes: { 'application/pdf': 4, 'image/png': 4 } }), 'PDF or PNG of up to 4 MB.')
})
