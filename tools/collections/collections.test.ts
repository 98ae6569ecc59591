/** The collections for API clients: up to date, and their scripts sign as the service expects. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { fillText, requestOf, type Sample } from '../samples/sample.ts'
import { samples } from '../samples/samples.ts'
import { signedFields } from './postman.ts'
import { type ClientCalls, signScript } from './sign-script.ts'
import { digests } from './testing/run-postman.ts'

const calls: ClientCalls = {
  reading: ["const field = (path) => path.split('.').reduce((inner, name) => inner?.[name], body)"],
  set: (name, expression) => `variables['${name}'] = ${expression}`,
}

const known = new Proxy<Record<string, string>>(
  { password: 'Pass wörd' },
  { get: (values, name) => values[String(name)] ?? `value of ${String(name)} ü` },
)

function hashByScript(sample: Sample): string | undefined {
  const variables: Record<string, string> = {}
  const { fields } = requestOf(sample, known)
  const fill = (text: string): string => fillText(text, known)
  runInNewContext(signScript(sample, calls).join('\n'), {
    require: () => digests,
    variables,
    body: fields,
    fill,
    unescape,
    encodeURIComponent,
  })
  return variables['hash']
}

describe('the script signs', () => {
  for (const sample of samples.filter(({ formula }) => formula !== null)) {
    test(sample.id, () => {
      assert.equal(hashByScript(sample), requestOf(sample, known).fields['hash'])
      assert.equal(signedFields(sample)['hash'], '{{hash}}')
    })
  }
})
