import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { authz } from './authz.ts'

test('another merchant’s ids reveal and change nothing, in the panel and in merchants’ requests (OWASP ASVS 8.2, 8.3)', () =>
  smoke({ roles: 1 }, authz.run))
