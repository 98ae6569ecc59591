/** Chapter 70 §3: files for and from the bank. Their structure is that of ISO 20022 pain.001.001.09 and camt.053. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountFault } from './bank-account.ts'
import { readBankStatement } from './camt053.ts'
import { painFile } from './pain001.ts'
import { allAt, type Element, escapeXml, readXml, textAt, XmlFault } from './xml.ts'

const iban = 'DE89370400440532013000'
const run = {
  messageId: '01a1e7bccdc47d9cbc90e7a650ec608c',
  createdAt: new Date('2026-03-01T10:20:30.400Z'),
  executeOn: '2026-03-02',
  currency: 'EUR',
  from: { holder: 'Operator & Co <1>', number: iban, bic: 'COBADEFFXXX' },
  transfers: [
    {
      endToEndId: 'e1',
      amountMinor: 1005n,
      to: { holder: 'Ann', number: 'FR7630006000011234567890189', bic: null },
      text: 'Payout e1',
    },
    {
      endToEndId: 'e2',
      amountMinor: 95n,
      to: { holder: 'Bob', number: 'GB82WEST12345698765432', bic: 'NWBKGB2L' },
      text: 'Payout e2',
    },
  ],
}

const names = (element: Element): readonly string[] => element.children.map(({ name }) => name)
const required = (element: Element | undefined): Element => {
  assert.ok(element)
  return element
}

test('a run is one payment information, with the elements in the order of the schema', () => {
  const document = readXml(painFile(run))
  assert.equal(document.attributes.get('xmlns'), 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09')
  const root = required(allAt(document, 'CstmrCdtTrfInitn')[0])
  assert.deepEqual(names(root), ['GrpHdr', 'PmtInf'])
  const [head, info] = root.children
  assert.deepEqual(names(required(head)), ['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum', 'InitgPty'])
  assert.deepEqual(names(required(info)), [
    'PmtInfId',
    'PmtMtd',
    'NbOfTxs',
    'CtrlSum',
    'PmtTpInf',
    'ReqdExctnDt',
    'Dbtr',
    'DbtrAcct',
    'DbtrAgt',
    'ChrgBr',
    'CdtTrfTxInf',
    'CdtTrfTxInf',
  ])
  const at = (...path: readonly string[]) => textAt(root, ...path)
  assert.deepEqual(
    [at('GrpHdr', 'MsgId'), at('GrpHdr', 'CreDtTm'), at('GrpHdr', 'NbOfTxs'), at('GrpHdr', 'CtrlSum')],
    [run.messageId, '2026-03-01T10:20:30', '2', '11.00'],
  )
  assert.deepEqual(
    [
      at('PmtInf', 'CtrlSum'),
      at('PmtInf', 'ReqdExctnDt', 'Dt'),
      at('PmtInf', 'Dbtr', 'Nm'),
      at('PmtInf', 'DbtrAcct', 'Id', 'IBAN'),
    ],
    ['11.00', '2026-03-02', 'Operator + Co .1.', iban],
  )
  assert.deepEqual([at('PmtInf', 'PmtTpInf', 'SvcLvl', 'Cd'), at('PmtInf', 'ChrgBr')], ['SEPA', 'SLEV'])
  const [first, second] = allAt(root, 'PmtInf', 'CdtTrfTxInf')
  assert.deepEqual(names(required(first)), ['PmtId', 'Amt', 'Cdtr', 'CdtrAcct', 'RmtInf'])
  assert.deepEqual(names(required(second)), ['PmtId', 'Amt', 'CdtrAgt', 'Cdtr', 'CdtrAcct', 'RmtInf'])
  assert.equal(allAt(required(first), 'Amt', 'InstdAmt')[0]?.attributes.get('Ccy'), 'EUR')
  assert.deepEqual(
    [textAt(required(first), 'Amt', 'InstdAmt'), textAt(required(second), 'Amt', 'InstdAmt')],
    ['10.05', '0.95'],
  )
})

test('names and texts have only letters that banks accept, in every currency', () => {
  const from = { ...run.from, holder: 'Български пощи ЕООД' }
  const to = { holder: 'Ελληνικά Ναυπηγεία ΑΕ', number: 'GR1601101250000000012300695', bic: null }
  for (const currency of ['EUR', 'USD']) {
    const transfers = [{ endToEndId: 'e', amountMinor: 1n, to, text: 'Žižkovská “e”' }]
    const file = painFile({ ...run, currency, from, transfers })
    const info = required(allAt(readXml(file), 'CstmrCdtTrfInitn', 'PmtInf')[0])
    assert.deepEqual(
      [
        textAt(info, 'Dbtr', 'Nm'),
        textAt(info, 'CdtTrfTxInf', 'Cdtr', 'Nm'),
        textAt(info, 'CdtTrfTxInf', 'RmtInf', 'Ustrd'),
      ],
      ['Balgarski poshti EOOD', 'Ellinika Nafpigeia AE', "Zizkovska 'e'"],
    )
    assert.match(file, /^[\x20-\x7e\n]*$/)
  }
})

test('amounts have the decimals of their currency, and accounts without IBAN are written as others', () => {
  const to = { holder: 'Ken', number: '1234567', bic: null }
  const amountIn = (currency: string) => {
    const document = readXml(
      painFile({ ...run, currency, transfers: [{ endToEndId: 'e', amountMinor: 12_345n, to, text: 'x' }] }),
    )
    const info = required(allAt(document, 'CstmrCdtTrfInitn', 'PmtInf')[0])
    assert.equal(textAt(info, 'CdtTrfTxInf', 'CdtrAcct', 'Id', 'Othr', 'Id'), '1234567')
    assert.deepEqual([textAt(info, 'ChrgBr'), allAt(info, 'PmtTpInf').length], ['SHAR', 0])
    return textAt(info, 'CdtTrfTxInf', 'Amt', 'InstdAmt')
  }
  assert.deepEqual(['JPY', 'USD', 'KWD'].map(amountIn), ['12345', '123.45', '12.345'])
})

test('an IBAN is checked by its digits, a BIC by its form', () => {
  const fault = (over: object) => accountFault({ holder: 'Ann', number: iban, bic: null, ...over })?.field ?? null
  // biome-ignore format: a table is read in columns.
  const cases = [
    [{},                                        null],
    [{ number: 'GB82WEST12345698765432' },      null],
    [{ number: '1234567890' },                  null],
    [{ bic: 'COBADEFF' },                       null],
    [{ number: 'DE89370400440532013001' },      'number'],
    [{ number: 'DE893704' },                    'number'],
    [{ number: 'DE89 3704' },                   'number'],
    [{ number: '' },                            'number'],
    [{ bic: 'COBADEF' },                        'bic'],
    [{ holder: '' },                            'holder'],
    [{ holder: 'a'.repeat(71) },                'holder'],
    [{ holder: 'Ελληνικά Ναυπηγεία' },          null],
    [{ holder: '株式会社' },                      'holder'],
  ] as const
  for (const [over, field] of cases) assert.equal(fault(over), field, JSON.stringify(over))
})

const entry = (
  inside: string,
  sign = 'DBIT',
  amount = '<Amt Ccy="EUR">11.00</Amt>',
  state = '<Sts><Cd>BOOK</Cd></Sts>',
) =>
  `<Ntry>${amount}<CdtDbtInd>${sign}</CdtDbtInd>${state}<BookgDt><Dt>2026-03-03</Dt></BookgDt><AcctSvcrRef>B1</AcctSvcrRef>${inside}</Ntry>`
const statement = (...entries: readonly string[]) =>
  `<?xml version="1.0"?><c:Document xmlns:c="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S1</Id>` +
  `<Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></c:Document>`
const details = (endToEnd: string, more = '') =>
  `<TxDtls><Refs><EndToEndId>${endToEnd}</EndToEndId></Refs>${more}<RmtInf><Ustrd>Payout &amp; ${endToEnd}</Ustrd></RmtInf></TxDtls>`

test('a bank statement gives one line per transfer', () => {
  const { lines: one, covered } = readBankStatement(statement(entry(`<NtryDtls>${details('e1')}</NtryDtls>`)))
  assert.deepEqual(one, [
    {
      account: iban,
      ref: 'B1',
      currency: 'EUR',
      amountMinor: -1100n,
      bookedOn: '2026-03-03',
      endToEndId: 'e1',
      batchId: null,
      text: 'Payout & e1',
      party: null,
    },
  ])
  assert.deepEqual(covered, [{ account: iban, currency: 'EUR', firstDay: '2026-03-03', lastDay: '2026-03-03' }])
  const amount = (text: string) => `<Amt Ccy="EUR">${text}</Amt>`
  const listed = `<NtryDtls>${details('e1', amount('10.05'))}${details('e2', amount('0.95'))}</NtryDtls>`
  assert.deepEqual(
    readBankStatement(statement(entry(listed))).lines.map((line) => [line.ref, line.endToEndId, line.amountMinor]),
    [
      ['B1/1', 'e1', -1005n],
      ['B1/2', 'e2', -95n],
    ],
  )
  const batch = '<NtryDtls><Btch><PmtInfId>run1</PmtInfId></Btch></NtryDtls>'
  assert.deepEqual(
    readBankStatement(statement(entry(batch))).lines.map((line) => [line.batchId, line.endToEndId]),
    [['run1', null]],
  )
  assert.equal(
    readBankStatement(statement(entry('', 'CRDT', '<Amt Ccy="JPY">1500.00</Amt>'))).lines[0]?.amountMinor,
    1500n,
  )
  assert.equal(readBankStatement(statement(entry('', 'CRDT', '<Amt Ccy="KWD">1.5</Amt>'))).lines[0]?.amountMinor, 1500n)
  assert.deepEqual(
    readBankStatement(statement(entry('', 'DBIT', undefined, '<Sts>PDNG</Sts>'))).lines,
    [],
    'not booked yet',
  )
})

test('a statement covers the days of its period, or up to its closing balance, and names who paid', () => {
  const covered = (more: string) =>
    readBankStatement(statement(entry('')).replace('</Acct>', `</Acct>${more}`)).covered.map(
      ({ currency, firstDay, lastDay }) => `${currency} ${firstDay} ${lastDay}`,
    )
  const period = '<FrToDt><FrDtTm>2026-03-01T00:00:00</FrDtTm><ToDtTm>2026-03-31T23:59:59</ToDtTm></FrToDt>'
  const closing = `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">1</Amt><Dt><Dt>2026-03-09</Dt></Dt></Bal>`
  assert.deepEqual(covered(period), ['EUR 2026-03-01 2026-03-31'])
  assert.deepEqual(covered(closing), ['USD 2026-03-03 2026-03-09', 'EUR 2026-03-03 2026-03-09'])
  assert.deepEqual(readBankStatement(statement()).covered, [], 'neither a period nor a line')
  const party = (inside: string, sign: string) =>
    readBankStatement(
      statement(entry(`<NtryDtls>${details('e1', `<RltdPties>${inside}</RltdPties>`)}</NtryDtls>`, sign)),
    ).lines[0]?.party
  assert.equal(party('<Dbtr><Nm>Acquirer</Nm></Dbtr>', 'CRDT'), 'Acquirer')
  assert.equal(party('<Dbtr><Pty><Nm>Acquirer</Nm></Pty></Dbtr>', 'CRDT'), 'Acquirer')
  assert.equal(party('<Dbtr><Nm>Operator</Nm></Dbtr>', 'DBIT'), null)
})

test('a file that is cut, is something else, or has a line without amount is refused', () => {
  const whole = statement(entry(''))
  // biome-ignore format: a table is read in columns.
  const bad = [
    [whole.slice(0, -20),                                             /was cut/],
    [whole.slice(0, whole.indexOf('</Ntry>')),                        /not closed/],
    ['',                                                              /not one XML document/],
    ['row,type\n1,2',                                                 /not one XML document/],
    ['<Document/>',                                                   /not a bank statement/],
    ['<a></b>',                                                       /b is closed, but a is open/],
    ['<a>&unknown;</a>',                                              /entity/],
    [whole.replace('B1', 'B\0'),                                       /zero character/],
    [whole.replace('B1', '&#xD800;'),                                  /entity/],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',                      /document type/],
    [`${'<a>'.repeat(60)}`,                                           /too deeply/],
    [statement(entry('', 'DBIT', '<Amt Ccy="XXQ">1</Amt>')),           /no amount in a known currency/],
    [statement(entry('', 'DBIT', '')),                                 /no amount/],
    [statement(entry('', 'BOTH')),                                     /neither CRDT nor DBIT/],
    [whole.replace(/<Acct>.*<\/Acct>/, ''),                            /names no account/],
    [whole.replace(/<BookgDt>.*<\/BookgDt>/, ''),                      /no booking date/],
    [whole.replace('2026-03-03', '0000-03-03'),                        /no booking date/],
    [whole.replace('2026-03-03', '2026-02-30'),                        /no booking date/],
  ] as const
  for (const [content, text] of bad)
    assert.throws(
      () => readBankStatement(content),
      (error) => error instanceof XmlFault && text.test(error.message),
      content.slice(0, 60),
    )
})

test('a statement of more elements or attributes than the memory is meant for is refused', () => {
  const bad = [
    [`<a>${'<b/>'.repeat(500_000)}</a>`, /too large/],
    [`<a ${Array.from({ length: 1_000_000 }, (_, index) => `a${index}=""`).join(' ')}/>`, /broken off/],
  ] as const
  for (const [content, text] of bad)
    assert.throws(
      () => readXml(content),
      (error) => error instanceof XmlFault && text.test(error.message),
    )
})

test('texts survive writing and reading', () => {
  const text = `a & b < c > "d" 'e' é`
  assert.equal(readXml(`<a>${escapeXml(text)}</a>`).text, text)
  assert.equal(readXml('<a><![CDATA[<b>]]>&#65;&#x42;<!-- c --></a>').text, '<b>AB')
})
