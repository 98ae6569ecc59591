import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zipOf } from '#server/administration/zip-sample.ts'
import { openTestInstance } from '../test/gatehouse.ts'

const instance = await openTestInstance()
after(() => instance[Symbol.asyncDispose]())

const file = join(tmpdir(), `gatehouse-form-${process.pid}.zip`)
const upload = async (entries: Readonly<Record<string, string>>, form = 'summer') => {
  await writeFile(file, zipOf(entries))
  return instance.run(['form', 'upload', 'demo', form, file])
}

test('a form is uploaded as a draft, reviewed, shown and withdrawn', async () => {
  await instance.do('merchant', 'create', 'demo', '--title', 'Demo')
  assert.match((await upload({ 'index.html': '<form></form>' })).out, /Version 1 of the form "summer" is a draft\./)
  assert.match((await upload({ 'index.html': '<form>2</form>' })).out, /Version 2/)
  assert.match((await instance.run(['form', 'submit', 'demo', 'summer'])).out, /Version 2 .* is in review\./)
  assert.match((await instance.run(['form', 'approve', 'demo', 'summer'])).out, /Version 2 .* is approved\./)
  assert.match(
    (await instance.run(['form', 'approve', 'demo', 'summer', '--version', '1'])).out,
    /Version 1 .* is approved/,
  )
  const { json } = await instance.do('form', 'list', '--json')
  assert.deepEqual(
    json.map((one: { version: number; state: string }) => [one.version, one.state]),
    [
      [2, 'withdrawn'],
      [1, 'approved'],
    ],
  )
  assert.match((await instance.run(['form', 'withdraw', 'demo', 'summer', '--version', '1'])).out, /is withdrawn\./)
})

test('what is wrong with an archive is told in sentences', async () => {
  assert.match(
    (await upload({ 'style/a.css': '' })).err,
    /exactly one \.html or \.html\.twig file at its top; it has 0/,
  )
  assert.match(
    (await upload({ 'index.html': '', 'other/a.css': '' })).err,
    /other\/a\.css: files belong into img, style, js\./,
  )
  assert.match(
    (await upload({ 'index.html': '', 'js/a.exe': '' })).err,
    /js\/a\.exe: files of this kind are not served\./,
  )
  assert.match((await upload({ 'index.html': '' }, 'no spaces')).err, /A form's name has up to 64 letters/)
})

test('a form that loads from elsewhere is not approved', async () => {
  await upload({ 'index.html': '<script src="https://thief.example/x.js"></script>' }, 'bad')
  const { err } = await instance.run(['form', 'approve', 'demo', 'bad'])
  assert.match(err, /https:\/\/thief\.example\/x\.js: sources on other hosts are not allowed\./)
})

test('a form that there is not is named as such', async () => {
  assert.match((await instance.run(['form', 'approve', 'demo', 'nothing'])).err, /There is no form "nothing"\./)
})
