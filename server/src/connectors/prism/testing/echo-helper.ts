/** A helper that speaks the protocol without the package: it echoes, dies, keeps silent or grows as a test's request says. */
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'

const output = createWriteStream('', { fd: 3 })
const [kind = ''] = process.argv.slice(2)
if (kind === 'broken') process.exit(1)
output.write('{"hello":"0.4.0","glibc":null,"rss":1}\n')

for await (const line of createInterface({ input: process.stdin })) {
  const { id, request } = JSON.parse(line)
  if (request.say === 'die') process.exit(1)
  if (request.say === 'nonsense') output.write('nonsense\n')
  if (request.say === 'silence' || request.say === 'nonsense') continue
  const rss = request.say === 'grow' ? 1e12 : 1
  const built = { method: 'POST', url: `https://process-${process.pid}.example`, headers: {}, body: null }
  output.write(`${JSON.stringify({ id, rss, built })}\n`)
}
