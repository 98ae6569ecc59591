import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CsvFault, csvRecords } from './csv-records.ts'

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<readonly (readonly (string | number)[])[]> {
  const read = []
  for await (const { line, cells } of csvRecords(chunks)) read.push([line, ...cells])
  return read
}

const read = (...chunks: readonly string[]) =>
  readAll(
    (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk)
    })(),
  )

const chunk = 64 * 1024

/** How much is read of a file that repeats a text and never ends a line, until it is refused. */
async function readUntilRefused(text: string): Promise<number> {
  let bytes = 0
  const source = async function* (): AsyncGenerator<Uint8Array> {
    for (; bytes < 200 * chunk; bytes += chunk) yield Buffer.from(text.repeat(chunk / text.length))
  }
  await assert.rejects(
    readAll(source()),
    (error) => error instanceof CsvFault && /^Line 1: a (?:line|cell) has more than /.test(error.message),
  )
  return bytes
}

for (const text of ['a,', ',', '"",', '"\n",', 'abcdefghijklmno,', '{"a":[1]},[{"b":', `${'a'.repeat(8191)},`])
  test(`a file without line ends is refused before it fills the memory: ${text.slice(0, 16)}`, async () => {
    assert.ok((await readUntilRefused(text)) <= 4 * chunk)
  })

test('a zero character, which the database cannot store, is refused with its line', async () => {
  for (const text of ['a,b\n\nc,d\0\n', 'a,b\n\n\0,d', 'a,b\r\n\r\n"x\0","y"\r\n'])
    for (const chunks of [[text], [...text]])
      await assert.rejects(
        read(...chunks),
        (error) => error instanceof CsvFault && error.message.startsWith('Line 3: a cell has a zero character'),
      )
})

test('a line has up to 500 cells', async () => {
  const cells = Array.from({ length: 500 }, (_, index) => String(index))
  assert.deepEqual(await read(`${cells.join()}\n`), [[1, ...cells]])
  await assert.rejects(read(`${cells.join()},500\n`), CsvFault)
})

for (const [name, end] of [
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['CR', '\r'],
] as const)
  test(`lines may end with ${name}, also where two chunks meet, and are counted`, async () => {
    const text = ['a,b', '', `"1${end}2","say ""x"""`, 'c,', ''].join(end)
    const expected = [
      [1, 'a', 'b'],
      [3, `1${end}2`, 'say "x"'],
      [5, 'c', ''],
    ]
    assert.deepEqual(await read(text), expected)
    assert.deepEqual(await read(...text), expected)
    assert.deepEqual(await read(text.slice(0, -end.length)), expected, 'without an end of the last line')
  })
