import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zipOf } from '#server/setup/forms/testing/zip-sample.ts'
import { openTestInstance } from '../../test/gatehouse.ts'

const instance = await openTestInstance()
after(() => instance[Symbol.asyncDispose]())

const file = join(tmpdir(), `gatehouse-form-${process.pid}.zip`)
const upload = async (entries: Readonly<Record<string, string>>, form = 'summer') => {
  await writeFile(file, zipOf(entries))
  return instance.run(['form', 'upload', 'demo', form, file])
}

const digestOf = async (form = 'summer', version?: string): Promise<string> => {
  const which = version === undefined ? [] : ['--version', version]
  return (await instance.do('form', 'show', 'demo', form, ...which, '--json')).json.digest
}

test('a form is uploaded as a draft, reviewed, shown and withdrawn', async () => {
  await instance.do('merchant', 'create', 'demo', '--title', 'Demo')
  assert.match((await upload({ 'index.html': '<form></form>' })).out, /Version 1 of the form "summer" is a draft\./)
  assert.match((await upload({ 'index.html': '<form>2</form>' })).out, /Version 2/)
  assert.match((await instance.run(['form', 'submit', 'demo', 'summer'])).out, /Version 2 .* is in review\./)
  const approve = ['form', 'approve', 'demo', 'summer']
  assert.match((await instance.run([...approve, '--digest', await digestOf()])).out, /Version 2 .* is approved\./)
  const first = ['--version', '1', '--digest', await digestOf('summer', '1')]
  assert.match((await instance.run([...approve, ...first])).out, /Version 1 .* is approved/)
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

test('faults of an archive are reported in sentences', async () => {
  assert.match(
    (await upload({ 'style/a.css': '' })).err,
    /exactly one \.html or \.html\.twig file at the top level; it contains 0/,
  )
  assert.match(
    (await upload({ 'index.html': '', 'other/a.css': '' })).err,
    /other\/a\.css: files must be in img, style, js\./,
  )
  assert.match(
    (await upload({ 'index.html': '', 'js/a.exe': '' })).err,
    /js\/a\.exe: files of this type are not allowed\./,
  )
  assert.match(
    (await upload({ 'index.html': '', 'js/a\u202e.js': '' })).err,
    /js\/a⟨U\+202E⟩\.js: the name contains invisible characters\./,
  )
  assert.match((await upload({ 'index.html': '' }, 'no spaces')).err, /Use up to 64 letters/)
})

test('a form that loads from other hosts is not approved', async () => {
  await upload({ 'index.html': '<script src="https://thief.example/x.js"></script>' }, 'bad')
  const { err } = await instance.run(['form', 'approve', 'demo', 'bad', '--digest', await digestOf('bad')])
  assert.match(err, /https:\/\/thief\.example\/x\.js: sources on other hosts are not allowed\./)
})

test('a form that names the SDK by the address of the service is approved', async () => {
  const base = 'https://pay.example.com'
  await writeFile(file, zipOf({ 'index.html': `<script src="${base}/sdk/pay-session.js"></script>` }))
  const environment = { ...instance.environment, BASE_URL: base }
  await instance.run(['form', 'upload', 'demo', 'own', file], { environment })
  await instance.do('form', 'approve', 'demo', 'own', '--digest', await digestOf('own'))
})

test('an unknown form is reported as such', async () => {
  assert.match((await instance.run(['form', 'show', 'demo', 'nothing'])).err, /There is no form "nothing"\./)
})

test('a form is approved only with the digest of what was reviewed', async () => {
  const stateOf = async (): Promise<string> =>
    (await instance.do('form', 'show', 'demo', 'autumn', '--json')).json.state
  await upload({ 'index.html': '<form></form>', 'js/a.js': 'read()\n' }, 'autumn')
  const approve = ['form', 'approve', 'demo', 'autumn']
  const without = await instance.run(approve)
  assert.equal(without.code, 1)
  assert.match(without.err, /--digest is missing[\s\S]*"gatehouse form show demo autumn"/)
  const read = await digestOf('autumn')
  await upload({ 'index.html': '<form></form>', 'js/a.js': 'steal()\n' }, 'autumn')
  const other = await instance.run([...approve, '--digest', read])
  assert.match(other.err, /The digest does not match version 2 of the form "autumn"\./)
  assert.equal(await stateOf(), 'draft')
  assert.equal((await instance.run([...approve, '--digest', 'abc'])).code, 2)
  await instance.do(...approve, '--digest', await digestOf('autumn'))
  assert.equal(await stateOf(), 'approved')
})

test('a reviewer sees the code, the changes since the approved version, and the findings', async () => {
  const page = { 'index.html': '<form></form>', 'img/a.png': 'no text' }
  await upload({ ...page, 'js/a.js': 'one()\ntwo()\n' }, 'winter')
  const first = await instance.do('form', 'show', 'demo', 'winter')
  assert.match(
    first.out,
    /No version has been approved yet[\s\S]*=== js\/a\.js \(12 bytes\)\n +1 {2}one\(\)\n +2 {2}two\(\)/,
  )
  assert.match(first.out, /=== img\/a\.png \(7 bytes\)\nSHA-256 [0-9a-f]{64}/)
  await instance.do('form', 'approve', 'demo', 'winter', '--digest', await digestOf('winter'))
  await upload({ ...page, 'js/a.js': "one()\nfetch('/admin')\n" }, 'winter')
  const { out } = await instance.do('form', 'show', 'demo', 'winter')
  assert.match(out, /Compared with version 1[\s\S]*js\/a\.js, line 2: refers to the panel; sends a request/)
  assert.match(out, /2 {7}- two\(\)\n +2 \+ fetch\('\/admin'\)/)
  const digest = await digestOf('winter')
  assert.match(out, new RegExp(`Digest {2}${digest}\n.*form approve demo winter --version 2 --digest ${digest}$`))
  assert.match((await instance.do('form', 'show', 'demo', 'winter', '--whole')).out, /\n +1 {2}one\(\)\n +2 {2}fetch/)
})

test('the content of a form cannot move the cursor of the reviewer’s terminal', async () => {
  await upload({ 'index.html': '<form></form>', 'js/a.js': 'steal() // \u001b[2K\u001b[1A\u202e\n' }, 'hidden')
  const { out } = await instance.do('form', 'show', 'demo', 'hidden')
  assert.match(out, /steal\(\) \/\/ ⟨U\+001B⟩\[2K⟨U\+001B⟩\[1A⟨U\+202E⟩/)
  assert.match(out, /js\/a\.js, line 1: contains invisible characters/)
  assert.ok(!out.includes('\u001b'))
})
