/** A minimal form endpoint: reads a form and answers JSON of a given size. Run as `node bench/empty-form.ts <bytes of the answer>`. */
import { parse } from 'node:querystring'
import fastify from 'fastify'

const answer = JSON.stringify({ result: 'SUCCESS', filler: 'x'.repeat(Math.max(0, Number(process.argv[2]) - 32)) })

const app = fastify()
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
  done(null, parse(String(body))),
)
app.post('/post', (_, reply) => reply.header('content-type', 'application/json').send(answer))
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`ready: ${address}\n`)
