import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

test('what a spreadsheet would calculate is escaped, and amounts below zero stay numbers', () => {
  assert.equal(
    csvLine(['=1+1', '-1+1', '-A1', '+49', '@x', '-4.00', '-3', '10.00']),
    "'=1+1,'-1+1,'-A1,'+49,'@x,-4.00,-3,10.00\r\n",
  )
  assert.equal(csvLine(['＝1+1', '＋1', '－1', '＠x', '\t=1', 'a＝1']), "'＝1+1,'＋1,'－1,'＠x,'\t=1,a＝1\r\n")
  assert.equal(csvLine(['\n=1+1', '\r=1+1']), `"'\n=1+1","'\r=1+1"\r\n`)
  assert.equal(csvLine(['-4.00\n=1+1', '-4.', '--4']), `"'-4.00\n=1+1",'-4.,'--4\r\n`)
})
