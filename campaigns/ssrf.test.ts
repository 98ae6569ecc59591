import { test } from 'node:test'
import { smoke } from './smoke.ts'
import { ssrf } from './ssrf.ts'

test('no callback and no domain check of a live instance reaches a private address, however it is spelt or resolved', () =>
  smoke({ ...ssrf.sizes, ...ssrf.quick }, ssrf.run))
