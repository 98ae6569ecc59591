import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { ssrf } from './ssrf.ts'

test('no address of a callback, a domain check, an acquirer or the 3DS server leads a live instance to a private one, however it is spelt or resolved', () =>
  smoke({ ...ssrf.sizes, ...ssrf.quick }, ssrf.run))
